/** The groups of operations, in the order in which a reader needs them. */
const GROUPS = [
  { name: "Pay tools", description: "The payment channels of an app.", operations: ["listPayTools"] },
  {
    name: "Orders",
    description: "Payment orders and their states.",
    operations: ["createOrder", "getOrder", "listOrders"],
  },
  {
    name: "Services",
    description: "Timed services that paid orders extend.",
    operations: ["listServices"],
  },
  {
    name: "Sessions",
    description: "Login by a verification code, and session tokens.",
    operations: ["sendCode", "logIn", "checkToken"],
  },
  {
    name: "Downloads",
    description: "Download counts of an app by store and day.",
    operations: ["getDownloads", "getDownloadsLegacy"],
  },
] as const;

/** The tags of the document. */
export const TAGS = GROUPS.map(({ name, description }) => ({ name, description }));

/** Returns the tag of an operation. Throws if no group has it. */
export function tagOf(operationId: string): string {
  const group = GROUPS.find(({ operations }) => operations.some((one) => one === operationId));
  if (group === undefined) throw new Error(`The operation ${operationId} has no tag in tags.ts: add it`);
  return group.name;
}
