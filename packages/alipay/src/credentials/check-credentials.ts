import { createPublicKey } from "node:crypto";
import { signText } from "@tillkit/wallet-kit";
import { type AlipayCredentialProblem, credentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";
import { verifyBytes } from "../signing/rsa.js";

/** Text of the test signature. Its contents do not matter. */
const SAMPLE = "tillkit=self-check";

/**
 * Returns what is wrong with an account's credentials at the time `now`.
 *
 * The list is empty if every key parses and matches the others, no certificate has expired, and a
 * test signature verifies. The function sends no request, so it cannot check whether Alipay knows
 * the key.
 *
 * @param now - Epoch milliseconds.
 * @returns the problems, or an empty list.
 * @example
 * ```ts
 * import { checkAlipayCredentials } from "@tillkit/alipay";
 *
 * const problems = await checkAlipayCredentials(credentials, Date.now());
 * for (const { message } of problems) console.error(message);
 * ```
 */
export async function checkAlipayCredentials(
  credentials: unknown,
  now: number,
): Promise<readonly AlipayCredentialProblem[]> {
  return parseAlipayCredentials(credentials).match(
    (parsed) => problemsInUse(parsed, now),
    (problems) => Promise.resolve(problems),
  );
}

async function problemsInUse(
  { appKey, certificates }: AlipayCredentials,
  now: number,
): Promise<readonly AlipayCredentialProblem[]> {
  const ended = (field: "appCertificate" | "alipayCertificate") =>
    certificates !== undefined && certificates.endsAt[field] <= now
      ? [credentialProblem(field, "expired")]
      : [];
  const signature = await signText(SAMPLE, appKey);
  const works = verifyBytes(Buffer.from(SAMPLE), signature, createPublicKey(appKey));
  return [
    ...ended("appCertificate"),
    ...ended("alipayCertificate"),
    ...(works ? [] : [credentialProblem("appPrivateKey", "unreadable")]),
  ];
}
