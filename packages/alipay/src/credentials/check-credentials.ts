import { createPublicKey } from "node:crypto";
import { signText } from "@tillkit/wallet-kit";
import { type AlipayCredentialProblem, problem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";
import { verifyBytes } from "../signing/rsa.js";

/** Signed and verified to see that the app's key works; it means nothing. */
const SAMPLE = "tillkit=self-check";

/**
 * What is wrong with an account's credentials as of `now` (epoch milliseconds): every key parses, fits the others, is not out of date, and signs what
 * its public half verifies. Empty when nothing is. No network: that the wallet knows the key only a call can tell.
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
    certificates !== undefined && certificates.endsAt[field] <= now ? [problem(field, "expired")] : [];
  const signature = await signText(SAMPLE, appKey);
  const works = verifyBytes(Buffer.from(SAMPLE), signature, createPublicKey(appKey));
  return [
    ...ended("appCertificate"),
    ...ended("alipayCertificate"),
    ...(works ? [] : [problem("appPrivateKey", "unreadable")]),
  ];
}
