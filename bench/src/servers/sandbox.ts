import { openSandbox } from "@tillkit/sandbox";
import { runAsProgram } from "../harness/run-as-program.js";

/** Runs the wallet sandbox in its own process. */
runAsProgram(async () => {
  const { addresses, merchant, payTools } = await openSandbox();
  return {
    says: { walletA: addresses.walletA, merchant: merchant.walletA, payTool: payTools.WALLET_A },
    answer: async () => undefined,
  };
});
