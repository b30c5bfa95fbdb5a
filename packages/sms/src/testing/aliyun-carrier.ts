import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { aliyunSmsSender } from "../aliyun/index.js";
import { type TestCarrier, TEST_KEY_ID, TEST_SECRET } from "./carrier.js";
import { type Answer, openLocalServer } from "./local-server.js";

const query = z.record(z.string(), z.string());
const variables = z.object({ code: z.string() });

/** Starts a test server that checks ACS3-HMAC-SHA256 as Alibaba Cloud documents it. */
export async function openAliyunCarrier(): Promise<TestCarrier> {
  const messages: TestCarrier["messages"] = [];
  const received: TestCarrier["received"] = [];
  let how: Answer | undefined;
  const server = await openLocalServer((request, body) => {
    const mistake = mistakeIn(request, body);
    if (mistake !== undefined)
      return { status: 400, body: JSON.stringify({ Code: mistake, Message: mistake, RequestId: "r" }) };
    const parameters = query.parse(Object.fromEntries(new URL(`http://carrier${request.url}`).searchParams));
    received.push(parameters);
    const { PhoneNumbers: number = "", TemplateParam = "{}" } = parameters;
    const accepts = how === undefined || typeof how === "string";
    if (accepts) {
      const mobileNo = /^1\d{10}$/.test(number) ? `+86${number}` : `+${number}`;
      messages.push({ mobileNo, authCode: variables.parse(JSON.parse(TemplateParam)).code });
    }
    return how ?? answered("OK");
  });
  return {
    ...server,
    messages,
    received,
    refuse: (code, status = 200) => {
      how = { ...answered(code), status };
    },
    answer: (next) => {
      how = next;
    },
    sender: ({ secret = TEST_SECRET, deadline = 60_000 } = {}) =>
      aliyunSmsSender({
        accessKeyId: TEST_KEY_ID,
        accessKeySecret: secret,
        endpoint: server.origin,
        deadline,
        mainland: {
          templateCode: "SMS_1",
          signName: "测试",
          minutesVariable: "min",
          languages: { en: { templateCode: "SMS_1_EN", signName: "Test" } },
          apps: {
            app_2: {
              templateCode: "SMS_3",
              signName: "二号",
              languages: { "zh-Hant": { templateCode: "SMS_3_HANT", signName: "二號" } },
            },
          },
        },
        international: { templateCode: "SMS_2", signName: "Tillkit" },
      }),
  };
}

function answered(code: string) {
  return { status: 200, body: JSON.stringify({ Code: code, Message: "m", RequestId: "r", BizId: "b" }) };
}

/** Returns the error code for a request that the gateway refuses. */
function mistakeIn(request: IncomingMessage, body: string): string | undefined {
  const { headers, method = "", url = "/" } = request;
  const parts =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (parts === null) return "IncompleteSignature";
  const [, keyId, signedHeaders = "", signature] = parts;
  if (keyId !== TEST_KEY_ID) return "InvalidAccessKeyId.NotFound";
  if (headers["x-acs-action"] !== "SendSms" || headers["x-acs-version"] !== "2017-05-25")
    return "InvalidAction.NotFound";
  const hash = createHash("sha256").update(body).digest("hex");
  if (headers["x-acs-content-sha256"] !== hash) return "SignatureDoesNotMatch";
  const mustSign = Object.keys(headers).filter(
    (name) => name.startsWith("x-acs-") || name === "host" || (name === "content-type" && body !== ""),
  );
  const signed = signedHeaders.split(";");
  if (mustSign.some((name) => !signed.includes(name))) return "SignatureDoesNotMatch";
  const { pathname, searchParams } = new URL(`http://carrier${url}`);
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const canonical = [
    method,
    pathname,
    [...searchParams]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .join("&"),
    signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join(""),
    signedHeaders,
    hash,
  ].join("\n");
  const toSign = `ACS3-HMAC-SHA256\n${createHash("sha256").update(canonical).digest("hex")}`;
  const expected = createHmac("sha256", TEST_SECRET).update(toSign).digest("hex");
  return signature === expected ? undefined : "SignatureDoesNotMatch";
}
