import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSmsCarriers } from "./sms-carriers.js";

const ports = memoryPorts();
const receiptSecret = "0123456789abcdef0123456789abcdef";
const template = { templateCode: "SMS_1", signName: "Tillkit" };
const aliyun = {
  carrier: "aliyun",
  accessKeyId: "top-secret-id",
  accessKeySecret: "top-secret-key",
  mainland: template,
};
const tencent = {
  carrier: "tencent",
  secretId: "top-secret-id",
  secretKey: "top-secret-key",
  sdkAppId: "1",
  international: { templateId: "1" },
};
const twilio = {
  carrier: "twilio",
  accountSid: "AC1",
  authToken: "top-secret-token",
  sender: { from: "+15005550006" },
  text: "{code}",
};
const statusCallback = "https://pay.example/sms-receipts/twilio";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(`${tmpdir()}/sms-carriers-`);
  path = `${folder}/carriers.json`;
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the carriers of a file with this content. */
async function open(content: unknown) {
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return openSmsCarriers(path, ports);
}

it("opens every carrier of the file, with its receipts", async () => {
  const carriers = await open([
    { ...aliyun, receiptSecret },
    { ...tencent, receiptSecret },
    { ...twilio, statusCallback },
  ]);
  for (const path of [`/aliyun/${receiptSecret}`, `/tencent/${receiptSecret}`, "/twilio"])
    expect(carriers?.receipts.owns("POST", path)).toBe(true);
});

it("receives no receipts without a secret or a URL", async () => {
  const carriers = await open([tencent, twilio]);
  for (const path of [`/tencent/${receiptSecret}`, "/twilio"])
    expect(carriers?.receipts.owns("POST", path)).toBe(false);
});

it("opens two accounts of one carrier, and accepts the secret of the receipts in either account", async () => {
  for (const pair of [
    [tencent, { ...tencent, receiptSecret }],
    [{ ...tencent, receiptSecret }, tencent],
    [
      { ...tencent, receiptSecret },
      { ...tencent, receiptSecret },
    ],
  ]) {
    const carriers = await open(pair);
    expect(carriers?.receipts.owns("POST", `/tencent/${receiptSecret}`)).toBe(true);
  }
});

it("opens carriers with templates of single apps and languages", async () => {
  const hash = "FA+9qCX9VSu";
  await open([
    {
      ...aliyun,
      mainland: {
        ...template,
        languages: { en: template },
        apps: { app_1: { ...template, languages: { "zh-Hant": template } } },
      },
    },
    {
      ...tencent,
      international: {
        templateId: "1",
        languages: { en: { templateId: "2" } },
        apps: { app_1: { templateId: "3" } },
      },
    },
    {
      ...twilio,
      languages: { en: { text: "Code {code}" } },
      apps: { app_1: { text: "{code}", autofill: { androidHash: hash, domain: "shop.example" } } },
    },
  ]);
});

it("opens nothing without a file", async () => {
  expect(await openSmsCarriers(undefined, ports)).toBeUndefined();
});

describe("a file that cannot be used", () => {
  /** Expects a message that names the file and the problem, and quotes no value. */
  async function expectProblem(opened: Promise<unknown>, problem: string) {
    const message = await opened.then(
      () => "opened",
      (error: unknown) => (error instanceof Error ? error.message : "no error"),
    );
    expect(message).toBe(`The SMS carriers file ${path} ${problem}.`);
    expect(message).not.toContain("top-secret");
  }

  const { mainland: _, ...withoutTemplate } = aliyun;
  const secondSecret = "f".repeat(32);

  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["no list", {}, "the file must be a list of carriers"],
    ["an empty list", [], "the file must list at least one carrier"],
    ["no object", ["top-secret"], "[0] must name a carrier: aliyun, tencent or twilio"],
    [
      "no carrier",
      [{ secretKey: "top-secret" }],
      "[0].carrier must name a carrier: aliyun, tencent or twilio",
    ],
    [
      "an unknown carrier",
      [{ carrier: "top-secret" }],
      "[0].carrier must name a carrier: aliyun, tencent or twilio",
    ],
    ["an unknown member", [{ ...twilio, token: "top-secret" }], "[0].token is not a known member"],
    ["a missing member", [{ ...twilio, authToken: undefined }], "[0].authToken must be text"],
    ["an empty member", [{ ...tencent, secretKey: "" }], "[0].secretKey must not be empty"],
    ["a member of another type", [{ ...aliyun, accessKeySecret: 7 }], "[0].accessKeySecret must be text"],
    [
      "several wrong members",
      [tencent, { ...aliyun, accessKeyId: "", accessKeySecret: null }],
      "[1].accessKeyId must not be empty; [1].accessKeySecret must be text",
    ],
    [
      "a template that is none",
      [{ ...aliyun, mainland: "top-secret" }],
      "[0].mainland must be an object with templateCode and signName",
    ],
    [
      "an incomplete template",
      [{ ...aliyun, mainland: { templateCode: "S" } }],
      "[0].mainland.signName must be text",
    ],
    [
      "an unknown member of a template",
      [{ ...aliyun, mainland: { ...template, x: 1 } }],
      "[0].mainland.x is not a known member",
    ],
    [
      "one variable for the code and the minutes",
      [{ ...aliyun, mainland: { ...template, minutesVariable: "code" } }],
      "[0].mainland.minutesVariable must differ from codeVariable",
    ],
    [
      "no template",
      [withoutTemplate],
      "[0].mainland or international is missing: without a template the carrier sends nothing",
    ],
    [
      "a template of Tencent Cloud without its signature",
      [{ ...tencent, mainland: { templateId: "1" } }],
      "[0].mainland.signName must be text",
    ],
    [
      "a message without the code",
      [{ ...tencent, international: { templateId: "1", parameters: ["minutes"] } }],
      "[0].international.parameters must contain code",
    ],
    [
      "an unknown parameter",
      [{ ...tencent, international: { templateId: "1", parameters: ["code", "x"] } }],
      "[0].international.parameters[1] must be code or minutes",
    ],
    [
      "languages without a default",
      [{ ...aliyun, mainland: { languages: { en: template } } }],
      "[0].mainland.templateCode must be text; [0].mainland.signName must be text",
    ],
    [
      "an app without a default",
      [{ ...twilio, apps: { app_1: { languages: { en: { text: "{code}" } } } } }],
      "[0].apps.app_1.text must be text",
    ],
    [
      "an unknown member of a language",
      [{ ...aliyun, mainland: { ...template, languages: { en: { ...template, x: 1 } } } }],
      "[0].mainland.languages.en.x is not a known member",
    ],
    [
      "a language that is no tag",
      [{ ...twilio, languages: { en_GB: { text: "{code}" } } }],
      "[0].languages.en_GB must be a language tag, such as en or zh-Hant",
    ],
    [
      "a language in two spellings",
      [{ ...twilio, languages: { en: { text: "{code}" }, EN: { text: "{code}" } } }],
      "[0].languages must not name a language twice",
    ],
    [
      "one variable for the code and the minutes of an app",
      [{ ...aliyun, mainland: { ...template, apps: { app_1: { ...template, minutesVariable: "code" } } } }],
      "[0].mainland.apps.app_1.minutesVariable must differ from codeVariable",
    ],
    [
      "a template of an app without the signature",
      [{ ...tencent, mainland: { templateId: "1", signName: "T", apps: { app_1: { templateId: "2" } } } }],
      "[0].mainland.apps.app_1.signName must be text",
    ],
    [
      "autofill in an approved template",
      [{ ...aliyun, mainland: { ...template, autofill: { domain: "shop.example" } } }],
      "[0].mainland.autofill is not a known member",
    ],
    ["a text without the code", [{ ...twilio, text: "top-secret" }], "[0].text must contain {code}"],
    [
      "an account of another kind",
      [{ ...twilio, accountSid: "top-secret" }],
      "[0].accountSid must start with AC",
    ],
    [
      "no sender",
      [{ ...twilio, sender: {} }],
      "[0].sender must be an object with either from or messagingServiceSid",
    ],
    [
      "two senders",
      [{ ...twilio, sender: { from: "+1", messagingServiceSid: "MG1" } }],
      "[0].sender must be an object with either from or messagingServiceSid",
    ],
    [
      "a callback without TLS",
      [{ ...twilio, statusCallback: "http://top-secret.example/" }],
      "[0].statusCallback must be the public https:// address of /sms-receipts/twilio",
    ],
    [
      "a short secret",
      [{ ...aliyun, receiptSecret: "top-secret" }],
      "[0].receiptSecret must have at least 32 characters of A-Z a-z 0-9 _ -: use openssl rand -hex 32",
    ],
    [
      "two secrets for one carrier",
      [
        { ...tencent, receiptSecret },
        { ...tencent, receiptSecret: secondSecret },
      ],
      "[1].receiptSecret must be that of the earlier entry of this carrier",
    ],
    [
      "receipts of two accounts of Twilio",
      [
        { ...twilio, statusCallback },
        { ...twilio, authToken: "top-secret-2", statusCallback },
      ],
      "[1].statusCallback must be absent: the host receives the receipts of one Twilio account",
    ],
    ...[
      "https://user:top-secret@sms.example",
      "http://sms.example",
      "https://sms.example/x",
      "top-secret",
    ].map(
      (endpoint) =>
        [
          `the endpoint ${endpoint}`,
          [{ ...tencent, endpoint }],
          "[0].endpoint must be an https:// origin without a path, such as https://sms.example.com",
        ] as const,
    ),
    ...[0, 1.5, 600_001, "top-secret"].map(
      (deadline) =>
        [
          `the deadline ${deadline}`,
          [{ ...tencent, deadline }],
          "[0].deadline must be a whole number of milliseconds from 1 to 600000",
        ] as const,
    ),
  ];

  it.each(wrong)("refuses %s", async (_, content, problem) => {
    await expectProblem(open(content), `is not valid: ${problem}`);
  });

  it("refuses autofill that cannot work, and names the carrier", async () => {
    const opened = open([aliyun, { ...twilio, autofill: { androidHash: "top-secret" } }]);
    await expect(opened).rejects.toThrow(
      `The SMS carriers file ${path}, [1] is not valid: The autofill of options needs an androidHash`,
    );
    await expect(opened).rejects.not.toThrow("top-secret");
  });

  it.each([
    ["top-secret", "the text is not JSON (line 1, column 1)"],
    ['[{"secretKey":"top-secret"', "the text is not JSON (line 1, column 27)"],
    ["", "the text is not JSON (line 1, column 1)"],
    [
      '[{"carrier":"twilio","authToken":"x","authToken":"top-secret"}]',
      "[0].authToken occurs twice (line 1, column 38)",
    ],
  ])("refuses the text %j", async (content, problem) => {
    await expectProblem(open(content), `is not valid: ${problem}`);
  });

  it("refuses UTF-16, and names it", async () => {
    const wide = Buffer.from(`\ufeff${JSON.stringify([tencent])}`, "utf16le");
    await writeFile(path, wide, { mode: 0o600 });
    const problem = "is UTF-16: save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`";
    await expectProblem(openSmsCarriers(path, ports), problem);
  });

  it("refuses a file that does not exist, and a folder", async () => {
    const missing = openSmsCarriers(path, ports);
    await expectProblem(missing, "does not exist: correct SMS_CARRIERS_FILE, or create the file");
    await mkdir(path, { mode: 0o700 });
    await expectProblem(openSmsCarriers(path, ports), "is a folder: give the path of a regular file");
  });

  it.skipIf(process.platform === "win32").each([0o644, 0o620])("refuses the mode %o", async (mode) => {
    await open([tencent]);
    await chmod(path, mode);
    const problem = `has mode ${mode.toString(8)}, so other users of the machine can read or change it. Run: chmod 600 ${path}`;
    // The command ends without a full stop, so that it can be copied.
    await expect(openSmsCarriers(path, ports)).rejects.toThrow(`The SMS carriers file ${path} ${problem}`);
  });
});

it("reads a file with a byte order mark and the line ends of Windows", async () => {
  const text = JSON.stringify([tencent], undefined, 2).replaceAll("\n", "\r\n");
  expect(await open(`\ufeff${text}`)).toBeDefined();
});
