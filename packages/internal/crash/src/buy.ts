import type { ChoiceSource } from "@tillkit/simulation/choice-source";
import { at, textAt } from "./testing/json.js";
import type { ClientRecords, PurchaseRecord } from "./client-records.js";
import type { HostConnection } from "./host-connection.js";

/** The context of one sequence of customers. */
export interface LaneContext {
  readonly line: HostConnection;
  readonly known: ClientRecords;
  readonly choices: ChoiceSource;
  /** Returns whether no new purchase may begin. */
  ending(): boolean;
}

/**
 * Lets one customer after another buy until `ending` returns true.
 *
 * Each purchase is completed, however often the host dies meanwhile.
 */
export async function buyContinuously(lane: string, context: LaneContext): Promise<void> {
  for (let nth = 0; !context.ending(); nth += 1) {
    const purchase: PurchaseRecord = {
      bizNo: `${lane}-${String(nth)}`,
      customer: `customer-${lane}-${String(context.choices.next(3))}`,
      payChannel: context.choices.next(2) === 0 ? "WALLET_A" : "WALLET_B",
      amount: 2 + context.choices.next(5_000),
      numbers: new Set(),
      paid: false,
      seen: "",
      refunds: new Map(),
    };
    context.known.purchases.set(purchase.bizNo, purchase);
    const refused = await buy(purchase, context).catch((problem: unknown) => String(problem));
    if (refused !== undefined)
      context.known.findings.push({ kind: "contradiction", bizNo: purchase.bizNo, what: refused });
  }
}

/**
 * Makes a purchase, from the creation to the refunds.
 *
 * Returns a description of the first wrong response, or `undefined`.
 */
async function buy(purchase: PurchaseRecord, context: LaneContext): Promise<string | undefined> {
  const { line, choices } = context;
  const { bizNo, customer, payChannel, amount } = purchase;
  const terms = { bizNo, payChannel, amount, goodsTitle: bizNo, customerIdentity: customer };
  // Sometimes two equal requests run at once.
  const answers = await Promise.all(
    Array.from({ length: choices.next(4) === 0 ? 2 : 1 }, () =>
      line.persist(({ caller, serviceTypeNo }) => caller.order({ ...terms, serviceTypeNo })),
    ),
  );
  for (const answer of answers) {
    if (at(answer, "code") !== 0) return `its creation was answered ${JSON.stringify(answer)}`;
    line.acknowledge();
    if (payChannel === "WALLET_B") purchase.numbers.add(numberIn(answer));
  }
  const reported = await look(purchase, context);
  if (reported !== undefined) return reported;
  // Some customers do not pay.
  if (choices.next(10) === 0) return undefined;
  const payload = at(answers.at(-1), "data");
  const paid = await line.persist(({ caller }) => caller.control("pay", { payload }));
  if (at(paid, "state") !== "PAID") return `the wallet answered the customer ${JSON.stringify(paid)}`;
  purchase.paid = true;
  line.acknowledge();
  return (await look(purchase, context)) ?? (await askForRefunds(purchase, context));
}

/** Reads the order as its caller. Returns a description of a contradiction, or `undefined`. */
async function look(purchase: PurchaseRecord, { line, known }: LaneContext): Promise<string | undefined> {
  const { bizNo, customer, seen } = purchase;
  const detail = await line.persist(({ caller }) => caller.detail(bizNo, customer));
  if (at(detail, "code") !== 0) {
    known.findings.push({ kind: "lost", bizNo, what: `reading it was answered ${JSON.stringify(detail)}` });
    return undefined;
  }
  purchase.numbers.add(textAt(detail, "data", "id"));
  purchase.seen = textAt(detail, "data", "paymentStatus");
  const back = seen === "PAID" && purchase.seen === "PENDING";
  return back ? "it was PAID, and then PENDING again" : undefined;
}

const NO_OPERATOR = { code: "nobody" };

/** Refunds some orders as an operator: completely, partially or in two parts. */
async function askForRefunds(
  purchase: PurchaseRecord,
  { line, choices }: LaneContext,
): Promise<string | undefined> {
  if (purchase.seen !== "PAID" || choices.next(4) !== 0) return undefined;
  const { bizNo, amount } = purchase;
  const first = choices.next(2) === 0 ? amount : 1 + choices.next(amount - 1);
  const second = first < amount && choices.next(2) === 0 ? [amount - first] : [];
  for (const [index, part] of [first, ...second].entries()) {
    const refundNo = `r${String(index)}`;
    purchase.refunds.set(refundNo, { amount: part, acknowledged: false });
    const refundRequest = { bizNo, refundNo, amount: part };
    const answer = await line.persist(async (host) => host.refund?.(refundRequest) ?? NO_OPERATOR);
    if (answer === NO_OPERATOR) {
      purchase.refunds.delete(refundNo);
      return undefined;
    }
    if (at(answer, "code") !== 0) return `refund ${refundNo} was answered ${JSON.stringify(answer)}`;
    purchase.refunds.set(refundNo, { amount: part, acknowledged: true });
    line.acknowledge();
  }
  return undefined;
}

function numberIn(answer: unknown): string {
  const content: unknown = JSON.parse(textAt(answer, "data", "biz_content"));
  return textAt(content, "out_trade_no");
}
