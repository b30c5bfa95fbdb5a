// A client of the documented service. It uses fetch, the documented requests and the real names of
// the channels and stores. It knows nothing of Tillkit.
//
// usage: node client.js <base URL> <metrics base URL> <APP_ID> <APP_SECRET> <downloads client id>
//
// A line `wallet <JSON>` on standard output is what the client hands to the customer's wallet app.
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";

const { fetch, URLSearchParams } = globalThis;
const [baseUrl, metricsBaseUrl, APP_ID, APP_SECRET, clientId] = process.argv.slice(2);
const headers = { APP_ID, APP_SECRET };
const customerIdentity = "user-7";

/** Sends a request and returns the body, whatever the HTTP status is. */
async function send(method, path, body) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(`${baseUrl}${path}`, { method, headers: sent, ...json });
  return response.json();
}

async function get(path, parameters = {}) {
  return send("GET", `${path}?${new URLSearchParams(parameters)}`);
}

function succeeded(body) {
  assert.equal(body.code, 0, JSON.stringify(body));
  assert.equal(body.msg, "success");
  return body.data;
}

/** Reads the order until it is PAID. Only this proves a payment. */
async function paid(bizNo) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const order = succeeded(await get("/detail.json", { bizNo, customerIdentity }));
    if (order.paymentStatus === "PAID") return order;
    assert.equal(order.paymentStatus, "PENDING");
    await wait(100);
  }
  throw new Error(`The order ${bizNo} was not paid in time.`);
}

const tools = succeeded(await get("/payTools.json"));
assert.deepEqual(tools.map(({ payChannel }) => payChannel).sort(), ["alipay", "wechat"]);
for (const { signStatus } of tools) assert.equal(signStatus, "OK");

const MEMBERS = {
  wechat: ["appid", "noncestr", "package", "partnerid", "prepayid", "sign", "timestamp"],
  alipay: [
    "app_id",
    "biz_content",
    "charset",
    "format",
    "method",
    "notify_url",
    "return_url",
    "sign",
    "sign_type",
    "timestamp",
    "version",
  ],
};
for (const [payChannel, sourceFrom] of [
  ["wechat", "huawei"],
  ["alipay", "xiaomi"],
]) {
  const order = {
    bizNo: `buy-${payChannel}`,
    amount: 600,
    goodsTitle: "One month",
    payChannel,
    paySource: "APP",
    customerIdentity,
    customerName: "Mr Li",
    serviceTypeNo: "membership",
    attachData: JSON.stringify({ sku: "month" }),
    sourceFrom,
  };
  const created = await send("POST", "/order.json", order);
  const payload = succeeded(created);
  assert.equal(typeof created.traceId, "string");
  if (payChannel === "alipay") assert.equal(typeof created.message, "string");
  const members = Object.keys(payload).sort();
  for (const member of MEMBERS[payChannel]) assert.ok(members.includes(member), `${member} is missing`);
  // A repeated creation returns the same order.
  succeeded(await send("POST", "/order.json", order));
  console.log(`wallet ${JSON.stringify(payload)}`);

  const record = await paid(order.bizNo);
  assert.equal(record.payChannel, payChannel);
  assert.equal(record.sourceFrom, sourceFrom);
  assert.equal(record.amount, 600);
  assert.equal(record.appId, APP_ID);
  // A wallet may state its time in whole seconds.
  assert.ok(record.pmtDt > record.gmtCreate - 1_000);
  const stranger = await get("/detail.json", { bizNo: order.bizNo, customerIdentity: "user-8" });
  assert.notEqual(stranger.code, 0);
}

const restored = succeeded(await get("/history.json", { customerIdentity, paymentStatus: "PAID" }));
assert.equal(restored.totalCount, 2);
assert.deepEqual(restored.payOrderList.map(({ bizNo }) => bizNo).sort(), ["buy-alipay", "buy-wechat"]);
const page = succeeded(await get("/history.json", { customerIdentity, pageNum: 2, pageSize: 1 }));
assert.equal(page.payOrderList.length, 1);

const services = succeeded(await get(`/customerServiceMgmt/${encodeURIComponent(customerIdentity)}.json`));
assert.equal(services.totalCount, 1);
assert.ok(services.customerServiceList[0].expireTime > services.serverTime);

const mobileNo = "13800000000";
assert.equal(succeeded(await get("/sms.json", { mobileNo })), "ok");
const wrong = await send("POST", "/auth.json", { mobileNo, authCode: "000000" });
assert.notEqual(wrong.code, 0);
const { customerId, token } = succeeded(await send("POST", "/auth.json", { mobileNo, authCode: "246810" }));
assert.equal(typeof customerId, "string");
assert.equal(succeeded(await get("/checkAuth.json", { token })), true);
assert.equal(succeeded(await get("/checkAuth.json", { token: `${token}x` })), false);

for (const path of ["/misc/downloads-api", "/misc/v2/downloads-api"]) {
  const report = async (parameters) => {
    const response = await fetch(`${metricsBaseUrl}${path}?${new URLSearchParams(parameters)}`);
    return { status: response.status, data: (await response.json()).data };
  };
  const { status, data } = await report({ id: clientId, start: "2026-05-01", end: "2026-05-02" });
  assert.equal(status, 200);
  assert.equal(data.result, "success");
  const [all, huawei] = data.downloadsData.downloads;
  assert.deepEqual(all, { store: "All Stores", updateDownloads: 3, newDownloads: 7, totalDownloads: 10 });
  assert.equal(huawei.store, "huawei");
  assert.equal(huawei.downloadsArray.length, 2);
  const refused = await report({ id: "unknown", start: "2026-05-01", end: "2026-05-02" });
  assert.equal(refused.data.errorCode, "ID_NOT_ALLOWED");
  assert.equal(refused.status, path.includes("v2") ? 403 : 200);
}
console.log("done");
