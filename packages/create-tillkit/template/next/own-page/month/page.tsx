import { redirect } from "next/navigation";

const customerIdentity = "user-1"; // take it from your log-in
const purchase = { customerIdentity, product: "month", payChannel: "WALLET_A", paySource: "NATIVE" } as const;

async function openShop() {
  const host = await globalThis.host;
  if (host === undefined) throw new Error("src/instrumentation.ts has not opened the host.");
  return host.shop;
}

async function buy() {
  "use server";
  const { bizNo } = await (await openShop()).buy(purchase);
  redirect(`/month?bizNo=${bizNo}`);
}

/** Sells a month, and shows the state of the purchase. */
export default async function Month({ searchParams }: { searchParams: Promise<{ bizNo?: string }> }) {
  const { bizNo } = await searchParams;
  if (bizNo === undefined)
    return (
      <form action={buy}>
        <button>Buy a month</button>
      </form>
    );
  const shop = await openShop();
  const { outcome, paymentStatus } = await shop.check(customerIdentity, bizNo);
  if (outcome !== "not-paid") return <p>{outcome}</p>;
  if (paymentStatus === "CLOSE") redirect("/month"); // the time to pay is over: a new purchase
  const { payload } = await shop.buy({ ...purchase, bizNo }); // the same order again
  return <p>Show this as a QR code: {"code_url" in payload && payload.code_url}</p>;
}
