import { isId, type PayChannel } from "@tillkit/core";
import type { Ledger } from "./ledger.js";
import type { ControlRefusal } from "./control-refusal.js";

/** Returns the refusal for a number that no wallet knows. */
export function unknownOrder(
  ledgers: Readonly<Record<PayChannel, Pick<Ledger, "isOfOtherProcess">>>,
  outTradeNo: string,
): ControlRefusal {
  if (Object.values(ledgers).some((ledger) => ledger.isOfOtherProcess(outTradeNo)))
    return {
      status: 409,
      message:
        "Another process wrote this order to the state file of this sandbox. Only one process may use the file: stop one of them, and restart the other.",
    };
  return {
    status: 404,
    message: isId(outTradeNo)
      ? "No wallet knows this outTradeNo: create the order first."
      : "No wallet knows this outTradeNo. Give the `id` of the order in the answer of /detail.json. A bizNo of the host works only at the control interface, and only if the sandbox was opened with `host`.",
  };
}
