import { openSandbox } from "@tillkit/sandbox";
import { beProgram } from "../harness/be-program.js";

/** The wallets, played in a process of their own. */
beProgram(async () => {
  const { addresses, merchant, payTools } = await openSandbox();
  return {
    says: { walletA: addresses.walletA, merchant: merchant.walletA, payTool: payTools.WALLET_A },
    answer: async () => undefined,
  };
});
