import { walletCommand } from "../settings.js";

/** Creates a command about one order that may call its wallet. */
export function orderCommand(name: string) {
  return walletCommand(name)
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app");
}
