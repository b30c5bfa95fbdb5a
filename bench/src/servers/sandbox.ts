import { openSandbox } from "@tillkit/sandbox";
import { beProgram } from "../harness/be-program.js";

/** Runs the wallet sandbox in its own process. */
beProgram(async () => {
  const { addresses, merchant, payTools } = await openSandbox();
  return {
    says: { walletA: addresses.walletA, merchant: merchant.walletA, payTool: payTools.WALLET_A },
    answer: async () => undefined,
  };
});
