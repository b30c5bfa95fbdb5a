import { Readable } from "node:stream";
import { manyCases } from "@tillkit/contract-tests";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { commandHelp } from "../command-help.js";
import { sharedHost } from "../testing/cli.js";
import { wallets } from "../testing/fixture.js";
import { aLine, LINE_TIME } from "../testing/import-lines.js";

/** A secret or personal value that a file or standard input contains. */
const SECRET = "MARKs3cretMARK";
const PHONE = "13917264853";
const CARD_NO = "6225880137395123";
const NAME = "MARK Zhang Wei";
const HIDDEN = /MARK|3917264853|6225880137395123|Zhang Wei/;

const BY = ["--operator", "kim", "--reason", "test"];
const APP = ["--app", "old"];
const TOOL = {
  payChannel: "WALLET_A",
  accountId: "m-1",
  walletAppId: "wx-1",
  appEnv: "DEV",
  credentials: { privateKey: SECRET, apiV3Key: `${SECRET}${PHONE}` },
};
const CARD = { bankType: "CMB_DEBIT", bankAccount: CARD_NO, realName: NAME };
const ORDER = aLine(1, { customerIdentity: "user-1", attachData: SECRET });
const CUSTOMER = { appId: "old", mobileNo: PHONE, customerId: "cus_1", gmtCreate: LINE_TIME };
const SERVICE = { appId: "old", customerIdentity: "user-9", serviceTypeNo: "T-9", serviceNo: "S-9" };
const ERASURE = { erasures: [{ appId: "old", customerIdentity: "user-9" }] };
const COUNTS = "appId,store,date,newDownloads,updateDownloads\nold,store_01,2026-01-15,3,4\n";

interface Given {
  readonly args: readonly string[];
  /** A text that the command accepts, or refuses only for its values. */
  readonly input: string;
  /** Members that the command prints by design. */
  readonly shown?: readonly string[];
}

/** Every command that reads a secret or a personal value from a file or standard input. */
const COMMANDS: Readonly<Record<string, Given>> = {
  "apps create": {
    args: ["--name", "Kiosk", "--app-id", "kept", "--app-secret-stdin", ...BY],
    input: `${SECRET} with spaces`,
  },
  "pay-tools set": {
    args: ["-", ...APP, ...BY],
    input: JSON.stringify(TOOL),
    shown: ["accountId", "walletAppId"],
  },
  "pay-tools change": {
    args: ["01JZ0V6T6S5Q7P4N2M8K3H9F1D", "-", ...BY],
    input: JSON.stringify({ credentials: TOOL.credentials }),
  },
  "downloads import": { args: ["-", ...APP, ...BY], input: COUNTS },
  "orders pay-out-refund": {
    args: [...APP, "b-1", "--refund-no", "r-1", "--to", "customer", "--card-file", "-", ...BY],
    input: JSON.stringify(CARD),
  },
  "import orders": { args: ["-", ...BY], input: ORDER },
  "import services": { args: ["-", ...BY], input: JSON.stringify(SERVICE) },
  "import customers": { args: ["-", ...BY], input: JSON.stringify(CUSTOMER) },
  "customers export": { args: ["-", ...APP, "--phone", "-", ...BY], input: PHONE },
  "customers erase": { args: [...APP, "--phone", "-", ...BY], input: PHONE },
  "customers erased": { args: [...APP, "--phone", "-"], input: PHONE },
  "customers erase-again": { args: ["-", ...BY], input: JSON.stringify(ERASURE) },
  "customers detach": { args: [...APP, "--phone", "-", ...BY], input: PHONE },
  "customers move": { args: [...APP, "--from", "-", "--to", "13900139000", ...BY], input: PHONE },
  "sessions list": { args: [...APP, "--phone", "-"], input: PHONE },
  "sessions revoke": { args: [...APP, "--phone", "-", "--all", ...BY], input: PHONE },
  "operators create": { args: ["li", "--role", "admin", "--password-stdin", ...BY], input: "MARKshort" },
};

/** Returns the text, and texts that a person may give instead. Each contains a hidden value. */
function wrongTexts({ input, shown = [] }: Given): readonly string[] {
  const texts = [
    input,
    SECRET,
    PHONE,
    `{ ${SECRET}`,
    `{"a":${SECRET}}`,
    JSON.stringify(SECRET),
    JSON.stringify([SECRET, PHONE, NAME]),
    `${input}\n${SECRET}`,
    `${SECRET}\n${input}`,
    `"${SECRET}`,
    `${SECRET}\u0000${PHONE}`,
    `${input} ${CARD_NO}`,
    `+${PHONE}${PHONE}`,
  ];
  if (!input.startsWith("{")) return texts;
  const members = z.record(z.string(), z.unknown()).parse(JSON.parse(input));
  const names = Object.keys(members).filter((name) => !shown.includes(name));
  const wrong = [SECRET, PHONE, [SECRET], { value: SECRET }, NAME, CARD_NO, `${SECRET}\u0000`];
  // By default, one value for each member.
  const few = (index: number) => wrong.filter((_, place) => manyCases() || place === index % wrong.length);
  return [
    ...texts,
    ...names.flatMap((name, index) =>
      few(index).map((value) => JSON.stringify({ ...members, [name]: value })),
    ),
    ...names.map((name) => input.replace("{", `{"${name}":"${SECRET}",`)),
  ];
}

const shared = sharedHost();
beforeAll(async () => {
  const create = ["apps", "create", "--name", "Old", "--app-id", "old", "--app-secret-stdin"];
  await shared().ask(create, { input: "the-old-secret" });
});

it("has a case for every command whose help offers standard input", () => {
  const reading = commandHelp()
    .map(({ command, help }) => ({
      name: command.replace(/^tillkit ?/, ""),
      reads: /^ {2}(?:file|--\S+)[^$]*?- for\s+standard\s+input|^ {2}--\S+-stdin /m.test(help),
    }))
    .filter(({ name, reads }) => reads && name.includes(" "));
  expect(reading.map(({ name }) => name).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

describe.each(Object.entries(COMMANDS))("tillkit %s", (name, given) => {
  const argv = [...name.split(" "), ...given.args];

  it("prints no value of its input", async () => {
    for (const [index, input] of wrongTexts(given).entries()) {
      const form = index % 2 === 0 ? [] : ["--json"];
      const { stdout, stderr } = await shared().tillkit([...argv, ...form], { openWallets: wallets, input });
      expect({ input, shown: HIDDEN.exec(stdout + stderr)?.[0] }).toEqual({ input, shown: undefined });
    }
  });

  // An import reads its input as a stream, so its length has no limit.
  it.skipIf(/import/.test(name))("limits the length of its input", async () => {
    let pulled = 0;
    const stdin = Readable.from(
      (function* () {
        for (; pulled < 64; pulled += 1) yield Buffer.alloc(2 ** 20, "1");
      })(),
    );
    const ran = await shared().tillkit(argv, { openWallets: wallets, stdin });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("Standard input is larger than 1048576 bytes");
    expect(pulled).toBeLessThan(8);
  });
});
