/** Identifies an order. */
export interface OrderKey {
  readonly appId: string;
  readonly bizNo: string;
}

/** Returns whether a value from the network is an order key. */
export function isOrderKey(found: unknown): found is OrderKey {
  if (typeof found !== "object" || found === null) return false;
  return (
    "appId" in found && typeof found.appId === "string" && "bizNo" in found && typeof found.bizNo === "string"
  );
}
