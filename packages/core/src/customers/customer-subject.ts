/** Returns the subject of audit entries about a customer. */
export function customerSubject(appId: string, customerIdentity: string): string {
  return `customer:${appId}/${customerIdentity}`;
}
