// Reads the certificates, notifications and bills that the wallets' SDKs ship with their own tests,
// and compares Tillkit's results with those of the SDKs.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkAlipayCertificates } from "./sdk-fixtures/alipay-certificates.js";
import { checkAlipayNotifications } from "./sdk-fixtures/alipay-notifications.js";
import { type Check, holds } from "./sdk-fixtures/check.js";
import { checkWechatPayBill } from "./sdk-fixtures/wechat-pay-bill.js";

const HELP = `npm run test:system -- sdk-fixtures --alipay-sdk FOLDER --wechatpay-axios-plugin FOLDER

Compares how the SDKs and Tillkit read the fixtures of the SDKs' own tests. The npm packages do not hold these
files, so each FOLDER is a checkout of the SDK's source repository.

  --alipay-sdk FOLDER              a checkout of alipay-sdk (tested with 4.14.0)
  --wechatpay-axios-plugin FOLDER  a checkout of wechatpay-axios-plugin (tested with 0.9.6)

Prints one line for each comparison. Ends with 1 if one does not hold, and with 2 if no folder is given.`;

const { values } = parseArgs({
  options: {
    "alipay-sdk": { type: "string" },
    "wechatpay-axios-plugin": { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const alipay = values["alipay-sdk"];
const wechatPay = values["wechatpay-axios-plugin"];

if (values.help === true || (alipay === undefined && wechatPay === undefined)) {
  console.log(HELP);
  process.exitCode = values.help === true ? 0 : 2;
} else {
  const checks: readonly Check[] = [
    ...(alipay === undefined ? [] : checkAlipayCertificates(join(alipay, "test/fixtures"))),
    ...(alipay === undefined ? [] : await checkAlipayNotifications(join(alipay, "test"))),
    ...(wechatPay === undefined ? [] : await checkWechatPayBill(join(wechatPay, "tests/fixtures"))),
  ];
  for (const check of checks) {
    const { fixture, compared, bySdk, byTillkit, reason } = check;
    const verdict = holds(check) ? "ok    " : "DIFFER";
    const detail = bySdk === byTillkit ? bySdk : `SDK ${bySdk}, Tillkit ${byTillkit}`;
    console.log(`${verdict} ${fixture}: ${compared}: ${detail}${reason === undefined ? "" : ` (${reason})`}`);
  }
  const failed = checks.filter((check) => !holds(check)).length;
  console.log(`${String(checks.length - failed)} of ${String(checks.length)} comparisons hold.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
