import { yuanText } from "@tillkit/core";
import type { LedgerOrder } from "../ledger-order.js";

/** Returns the page that shows the payment of a signed URL to the customer. */
export function paymentPage({ terms, state }: LedgerOrder): string {
  const { goodsTitle, amount, outTradeNo } = terms;
  return page(
    "Sandbox cashier",
    `<h1>${escaped(goodsTitle)}</h1><p>¥${yuanText(amount)}</p><p>${escaped(outTradeNo)}: ${state}</p>
<p>Pay it with <code>POST /pay</code> at the sandbox's control interface.</p>`,
  );
}

/** Returns the page that a customer sees if Alipay refuses the signed URL. */
export function refusalPage(subCode: string, subMsg: string): string {
  return page("Sandbox cashier", `<h1>${escaped(subCode)}</h1><p>${escaped(subMsg)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
