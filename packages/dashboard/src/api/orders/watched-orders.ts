import * as z from "zod";
import { orderKeyInput } from "./order-path.js";

/** The maximum number of orders that one stream watches. */
const MAX_ORDERS = 20;
/** Proxies accept addresses of about 8,000 characters. */
const MAX_TEXT = 8_000;

/** Schema of the orders of a stream: JSON text, because their numbers may contain any character. */
export function watchedOrdersInput() {
  const orders = z.array(z.object(orderKeyInput)).min(1).max(MAX_ORDERS);
  return z
    .string()
    .max(MAX_TEXT)
    .transform(parsed)
    .pipe(orders)
    .describe('JSON text of 1 to 20 orders, such as `[{"appId":"app_1","bizNo":"b-1"}]`.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
