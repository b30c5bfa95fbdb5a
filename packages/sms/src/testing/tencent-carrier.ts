import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { tencentSmsSender } from "../tencent/index.js";
import { type TestCarrier, TEST_KEY_ID, TEST_SECRET } from "./carrier.js";
import { type Answer, openLocalServer } from "./local-server.js";

const sendSms = z.strictObject({
  PhoneNumberSet: z.tuple([z.string()]),
  SmsSdkAppId: z.string(),
  TemplateId: z.string(),
  TemplateParamSet: z.tuple([z.string()], z.string()),
  SignName: z.string().optional(),
  SenderId: z.string().optional(),
});

/** Starts a test server that checks TC3-HMAC-SHA256 as Tencent Cloud documents it. */
export async function openTencentCarrier(): Promise<TestCarrier> {
  const messages: TestCarrier["messages"] = [];
  const received: TestCarrier["received"] = [];
  let how: Answer | undefined;
  const server = await openLocalServer((request, body) => {
    const mistake = mistakeIn(request, body);
    if (mistake !== undefined) return refused(mistake);
    const parameters = sendSms.parse(JSON.parse(body));
    received.push(parameters);
    if (how === undefined || typeof how === "string")
      messages.push({
        mobileNo: parameters.PhoneNumberSet[0],
        authCode: parameters.TemplateParamSet[0],
      });
    return how ?? statusSet("Ok");
  });
  return {
    ...server,
    messages,
    received,
    refuse: (code, status = 200) => {
      how = { ...statusSet(code), status };
    },
    answer: (next) => {
      how = next;
    },
    sender: ({ secret = TEST_SECRET, deadline = 60_000 } = {}) =>
      tencentSmsSender({
        secretId: TEST_KEY_ID,
        secretKey: secret,
        sdkAppId: "1400006666",
        endpoint: server.origin,
        deadline,
        mainland: {
          templateId: "1110",
          signName: "测试",
          parameters: ["code", "minutes"],
          languages: { en: { templateId: "1120", signName: "Test" } },
          apps: {
            app_2: {
              templateId: "1130",
              signName: "二号",
              languages: { "zh-Hant": { templateId: "1140", signName: "二號" } },
            },
          },
        },
        international: { templateId: "1111" },
      }),
  };
}

/** Returns the answer to a request that the gateway refuses. */
function refused(code: string): Answer {
  return {
    status: 200,
    body: JSON.stringify({ Response: { Error: { Code: code, Message: "m" }, RequestId: "r" } }),
  };
}

function statusSet(code: string) {
  const status = { SerialNo: "s", PhoneNumber: "+8613800138000", Fee: 1, Code: code, Message: "m" };
  return { status: 200, body: JSON.stringify({ Response: { SendStatusSet: [status], RequestId: "r" } }) };
}

/** Returns the error code for a request that the gateway refuses. */
function mistakeIn({ headers, method = "", url = "/" }: IncomingMessage, body: string): string | undefined {
  const parts =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/([^/]+)\/tc3_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (parts === null) return "AuthFailure.InvalidAuthorization";
  const [, keyId, date = "", service = "", signedHeaders = "", signature] = parts;
  if (keyId !== TEST_KEY_ID) return "AuthFailure.SecretIdNotFound";
  if (headers["x-tc-action"] !== "SendSms" || headers["x-tc-version"] !== "2021-01-11")
    return "InvalidAction";
  const timestamp = String(headers["x-tc-timestamp"]);
  if (date !== new Date(Number(timestamp) * 1_000).toISOString().slice(0, 10))
    return "AuthFailure.SignatureExpire";
  // The service is the first label of the host. The SDK signs the host without its port.
  const host = String(headers.host).replace(/:\d+$/, "");
  if (service !== host.split(".")[0]) return "AuthFailure.SignatureFailure";
  const signed = signedHeaders.split(";");
  if (!signed.includes("host") || !signed.includes("content-type")) return "AuthFailure.SignatureFailure";
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const canonical = [
    method,
    url,
    "",
    signed.map((name) => `${name}:${name === "host" ? host : String(headers[name])}\n`).join(""),
    signedHeaders,
    hash(body),
  ].join("\n");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
  const scope = `${date}/${service}/tc3_request`;
  const dayKey = hmac(`TC3${TEST_SECRET}`, date).digest();
  const key = hmac(hmac(dayKey, service).digest(), "tc3_request").digest();
  const expected = hmac(key, `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${hash(canonical)}`).digest("hex");
  return signature === expected ? undefined : "AuthFailure.SignatureFailure";
}
