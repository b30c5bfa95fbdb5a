import type { HttpReply } from "../request.js";

const PAGE = `<!doctype html>
<html lang="zh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>支付已提交 · Payment submitted</title>
<style>
body { font: 1.125rem/1.6 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { padding: 2rem; max-width: 28rem; text-align: center; }
</style>
</head>
<body>
<main>
<h1>支付已提交</h1>
<p>请返回应用查看支付结果。</p>
<p lang="en">The payment was submitted to the wallet. Please return to the app to see the result.</p>
</main>
</body>
</html>
`;

/**
 * Creates the page that a customer sees after returning from Alipay.
 *
 * The page contains nothing of the request and does not prove a payment.
 */
export function returnPage(): HttpReply<string> {
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
    body: PAGE,
  };
}
