import { type Ask, detailOf, purchase } from "./ask.js";
import { type Row, rowOf } from "./row.js";
import type { Scenario } from "./scenario.js";

const EACH = 20;
const numbers = Array.from({ length: EACH }, (_, index) => index);

/**
 * Measures Tillkit's responses while a wallet accepts calls but never answers, and afterwards.
 *
 * It measures new orders of the wallet, reads of its open orders, and orders of the other wallet.
 */
export async function hangWallet(
  { ask, injectFault }: Pick<Scenario, "ask" | "injectFault">,
  payChannel: "WALLET_A" | "WALLET_B",
): Promise<readonly Row[]> {
  const [wallet, other, code] =
    payChannel === "WALLET_A"
      ? (["walletA", "WALLET_B", 30002] as const)
      : (["walletB", "WALLET_A", 40001] as const);
  const buy = (mark: string, changes: object) =>
    all((index) => ask("/order.json", purchase(`${payChannel}-${mark}-${index}`, changes)));
  await buy("open", { payChannel, paySource: "NATIVE" });
  await injectFault({ [wallet]: { prepay: "hang", query: "hang" } });
  const [creations, reads, others] = await Promise.all([
    buy("new", { payChannel, paySource: "NATIVE" }),
    all((index) => ask(detailOf(`${payChannel}-open-${index}`))),
    buy("other", { payChannel: other, paySource: "NATIVE" }),
  ]);
  await injectFault({ [wallet]: null });
  const again = await buy("new", { payChannel, paySource: "NATIVE" });
  return [
    rowOf(`${payChannel} hangs: its creations`, creations, code),
    rowOf(`${payChannel} hangs: reads of its orders`, reads, undefined),
    rowOf(`${payChannel} hangs: the other channel`, others, undefined),
    rowOf(`${payChannel} answers: repetitions`, again, code),
  ];
}

function all(work: (index: number) => ReturnType<Ask>) {
  return Promise.all(numbers.map(work));
}
