import { readFileSync } from "node:fs";
import { join } from "node:path";
import { alipayWallet } from "@tillkit/alipay";
import type { WalletAccount } from "@tillkit/core";
import { AlipaySdk } from "alipay-sdk";
import ts from "typescript";
import { APP_PRIVATE_KEY } from "../../packages/alipay/src/testing/certificates.js";
import type { Check } from "./check.js";

const NOT_A_PAYMENT = "it reports something other than a payment";

/** A notification of the SDK's tests, with the public key of Alipay that its test uses. */
interface RecordedNotification {
  readonly line: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly alipayPublicKey: string;
}

/**
 * Verifies the notifications in the SDK's own tests with the SDK and with Tillkit.
 *
 * @param folder - the test folder of a checkout of `alipay-sdk`.
 */
export async function checkAlipayNotifications(folder: string): Promise<readonly Check[]> {
  const keyFile = readFileSync(join(folder, "fixtures/alipay-notify-sign-public-key-v2.pem"), "utf8");
  const recorded = recordedNotifications(readFileSync(join(folder, "alipay.test.ts"), "utf8"), keyFile);
  return Promise.all(
    recorded.map(async ({ line, parameters, alipayPublicKey }): Promise<Check> => {
      const sdk = new AlipaySdk({ appId: "2014", privateKey: APP_PRIVATE_KEY, alipayPublicKey });
      const bySdk = String(sdk.checkNotifySignV2(parameters));
      const isPayment = parameters["notify_type"] === "trade_status_sync";
      return {
        fixture: `alipay.test.ts:${String(line)}`,
        compared: "notification",
        bySdk,
        byTillkit: String(await isVerified(parameters, alipayPublicKey)),
        ...(isPayment || bySdk === "false" ? {} : { reason: NOT_A_PAYMENT }),
      };
    }),
  );
}

async function isVerified(
  parameters: RecordedNotification["parameters"],
  alipayPublicKey: string,
): Promise<boolean> {
  const wallet = alipayWallet({ clock: { now: Date.now } });
  const account: WalletAccount = {
    id: "tool-1",
    appId: "app-1",
    accountId: parameters["seller_id"] ?? "",
    walletAppId: parameters["app_id"] ?? "",
    payChannel: "WALLET_B",
    appEnv: "PROD",
    signStatus: "OK",
    appName: "Notes",
    appPackageName: "com.example.notes",
    appSignature: "0a1b2c",
    credentials: { appPrivateKey: APP_PRIVATE_KEY, alipayPublicKey },
    gmtCreate: 0,
    gmtModified: 0,
  };
  const body = new TextEncoder().encode(new URLSearchParams(parameters).toString());
  const read = await wallet.readNotification(account, { headers: new Headers(), body }, { now: 0, skew: 0 });
  return read.isOk();
}

/** Returns every object `postData` in the source, with the key of the tests around it. */
function recordedNotifications(source: string, defaultKey: string): readonly RecordedNotification[] {
  const file = ts.createSourceFile("alipay.test.ts", source, ts.ScriptTarget.Latest, true);
  const found: RecordedNotification[] = [];
  const visit = (node: ts.Node, inheritedKey: string): void => {
    let alipayPublicKey = inheritedKey;
    if (ts.isCallExpression(node) && node.expression.getText(file) === "describe")
      alipayPublicKey = keyIn(node, file) ?? inheritedKey;
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === "postData") {
      const { initializer } = node;
      if (initializer !== undefined && ts.isObjectLiteralExpression(initializer)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        found.push({ line, parameters: parametersOf(initializer, file), alipayPublicKey });
      }
    }
    ts.forEachChild(node, (child) => visit(child, alipayPublicKey));
  };
  visit(file, defaultKey);
  return found;
}

/** Returns the key that a `beforeEach` directly in this `describe` sets. */
function keyIn(node: ts.CallExpression, file: ts.SourceFile): string | undefined {
  const text = node.getText(file);
  const before = text.slice(0, text.search(/\bit\(/));
  return /notifyAlipayPublicKeyV1 = '([^']+)'/.exec(before)?.[1];
}

/**
 * Returns the form parameters of an object literal.
 *
 * The tests write `fund_bill_list` as a value, which the wallet sends as JSON text.
 */
function parametersOf(
  literal: ts.ObjectLiteralExpression,
  file: ts.SourceFile,
): Readonly<Record<string, string>> {
  const pairs = literal.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => {
    const value = ts.isStringLiteral(initializer)
      ? initializer.text
      : JSON.stringify(
          JSON.parse(
            initializer
              .getText(file)
              .replaceAll(/(\w+):/g, '"$1":')
              .replaceAll("'", '"'),
          ),
        );
    return [name.getText(file), value] as const;
  });
  return Object.fromEntries(pairs);
}
