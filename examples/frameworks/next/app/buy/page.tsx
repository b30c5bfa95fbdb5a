import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import { shopClient } from "../../lib/shop-client";

const MONTH = { amount: 600, goodsTitle: "One month" }; // the amount is in cents
const customerIdentity = "user-1"; // take it from your log-in

/** Creates the order, or returns the payload of the same order again. */
async function order(bizNo: string) {
  const wallet = { payChannel: "WALLET_A", paySource: "NATIVE" } as const;
  return (await shopClient()).orders.create({ bizNo, customerIdentity, ...MONTH, ...wallet });
}

async function buy(): Promise<void> {
  "use server";
  const bizNo = randomUUID(); // store it with the customer before the next line
  await order(bizNo);
  redirect(`/buy?bizNo=${bizNo}`);
}

interface Props {
  readonly searchParams: Promise<{ readonly bizNo?: string }>;
}

/** Sells a month, and shows the state of the payment. */
export default async function BuyPage({ searchParams }: Props) {
  const { bizNo } = await searchParams;
  if (bizNo === undefined)
    return (
      <form action={buy}>
        <button>Buy {MONTH.goodsTitle} for ¥6.00</button>
      </form>
    );
  const { paymentStatus } = await (await shopClient()).orders.get({ bizNo, customerIdentity });
  if (paymentStatus !== "PENDING") return <p>Payment: {paymentStatus}</p>;
  const payload = await order(bizNo);
  return (
    <>
      <meta httpEquiv="refresh" content="3" />
      <p>Payment: {paymentStatus}. Show this address as a QR code:</p>
      <code>{"code_url" in payload && payload.code_url}</code>
    </>
  );
}
