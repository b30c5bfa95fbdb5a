import { join } from "node:path";
import type { HostFacts } from "./host-file.js";

/** What the text needs in addition to the facts. */
export interface WelcomeOptions {
  /**
   * The folder of `host.json`. The login command of the tour stores its answer in the same folder.
   */
  readonly dataDir: string;
  /** The `bizNo` of the order that the commands create, different for every start. */
  readonly bizNo: string;
  /** The business day, `YYYY-MM-DD`. */
  readonly today: string;
}

const MOBILE_NO = "13800138000";

/** Returns the start-up text: the addresses, and a first tour as independent shell commands. */
export function welcomeText(facts: HostFacts, { dataDir, bizNo, today }: WelcomeOptions): string {
  const { baseUrl, metricsBaseUrl, appId, appSecret, downloadsClientId, serviceTypeNo } = facts;
  const { control } = facts.sandbox;
  const curl = "curl -sS -w '\\n'";
  const asApp = `${curl} -H 'APP_ID: ${appId}' -H 'APP_SECRET: ${appSecret}'`;
  const detail = `'${baseUrl}/detail.json?bizNo=${bizNo}&customerIdentity=user-1'`;
  const order = JSON.stringify({
    amount: 600,
    bizNo,
    goodsTitle: "One month",
    payChannel: "WALLET_B",
    customerIdentity: "user-1",
    serviceTypeNo,
    attachData: '{"product":"month"}',
  });
  const session = shellWord(join(dataDir, "session.json"));

  return `Tillkit is running, with two simulated wallets and a simulated SMS carrier. No real money moves.

  payments and sessions  ${baseUrl}
  downloads metrics      ${metricsBaseUrl}/misc/v2/downloads-api
  sandbox control        ${control}
${dashboardLines(facts)}  APP_ID                 ${appId}
  APP_SECRET             ${appSecret}
  downloads client id    ${downloadsClientId}
  data folder            ${dataDir}
  the same as JSON       ${join(dataDir, "host.json")}

Paste the lines below into another terminal, one after the other.

1. Create an order. The customer's app passes "data" to the wallet.

${asApp} -H 'content-type: application/json' '${baseUrl}/order.json' -d '${order}'

2. Pay as the customer. The order's "id" is the wallet's out_trade_no.

${asApp} ${detail} | ${nodeLine("JSON.stringify({ outTradeNo: JSON.parse(input).data.id })")} | ${curl} -H 'content-type: application/json' '${control}/pay' -d @-

3. Verify the payment. Only "paymentStatus":"PAID" proves a payment.

${asApp} ${detail}

4. Show the service that the customer bought: 30 days of membership.

${asApp} '${baseUrl}/customerServiceMgmt/user-1.json'

5. Refund the order as an operator. The refund also removes the 30 days.

${curl} -H 'content-type: application/json' '${control}/refund' -d '${JSON.stringify({ bizNo })}'

6. Verify the refund: "paymentStatus" is "REFUND".

${asApp} ${detail}

7. Request a login code by SMS.

${asApp} '${baseUrl}/sms.json?mobileNo=${MOBILE_NO}'

8. Read the message in the sandbox.

${curl} '${control}/sms?mobileNo=${MOBILE_NO}'

9. Exchange the code for a session token.

${curl} '${control}/sms?mobileNo=${MOBILE_NO}' | ${nodeLine(`"mobileNo=${MOBILE_NO}&authCode=" + JSON.parse(input).at(-1).authCode`)} | ${asApp} '${baseUrl}/auth.json' -d @- | tee ${session}

10. Check the token.

${asApp} -G '${baseUrl}/checkAuth.json' -d "token=$(node -p 'require(process.argv[1]).data.token' ${session})"

11. Read a week of downloads.

${curl} '${metricsBaseUrl}/misc/v2/downloads-api?id=${downloadsClientId}&start=${daysBefore(today, 6)}&end=${today}'

Press Ctrl+C to stop the service. The next start continues with the same data, unless you add --fresh.
`;
}

function dashboardLines({ dashboard }: HostFacts): string {
  if (dashboard === undefined) return "";
  return `  dashboard              ${dashboard.url}
    user                 ${dashboard.user}
    password             ${dashboard.password}
${secondLines(dashboard.second)}`;
}

function secondLines(second: NonNullable<HostFacts["dashboard"]>["second"]): string {
  if (second === undefined) return "";
  return `    second operator      ${second.user}
    password             ${second.password}
    approvals            a refund above ¥5.00 needs both: one requests it, the other approves it
`;
}

/** Returns a pipe filter that runs on Node: `expression` reads standard input as `input`. */
function nodeLine(expression: string): string {
  return `node -p 'const input = require("fs").readFileSync(0, "utf8"); ${expression}'`;
}

/** Quotes `text` as one word of a shell command. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
