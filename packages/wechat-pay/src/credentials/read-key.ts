import type { KeyObject, X509Certificate } from "node:crypto";
import {
  type KeyFault,
  readCertificates,
  readPrivateKey,
  readPublicKeys,
  requireStrongRsa,
} from "@tillkit/wallet-kit";
import type { Message } from "@tillkit/core/errors";
import { err, ok, type Result } from "neverthrow";
import type { ProblemText } from "./credential-problem.js";

/** A public key, and its certificate if the text was one. */
export interface PublicKey {
  readonly key: KeyObject;
  readonly certificate?: X509Certificate;
}

/** What an operator reads for each fault. A fault without a text is `unreadable`. */
type FaultTexts = Partial<Readonly<Record<KeyFault, Message>>> & { readonly unreadable: Message };

const RSA_FAULTS = {
  "not-rsa": {
    en: "is not an RSA key; WeChat Pay signs with RSA only",
    zh: "不是 RSA 密钥，微信支付仅支持 RSA 签名",
  },
  "too-short": {
    en: "is an RSA key of less than 2048 bits; it must have at least 2048",
    zh: "是不足 2048 位的 RSA 密钥，至少须为 2048 位",
  },
} as const;

const PRIVATE_KEY_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable: {
    en: "is not a private key; paste the whole text of apiclient_key.pem, from BEGIN to END",
    zh: "不是私钥，请粘贴 apiclient_key.pem 的全部内容，从 BEGIN 到 END",
  },
  several: {
    en: "contains several keys; paste the text of apiclient_key.pem only",
    zh: "包含多个密钥，请只粘贴 apiclient_key.pem 的内容",
  },
  encrypted: {
    en: "is protected by a password; paste the text of apiclient_key.pem, which has no password",
    zh: "有密码保护，请粘贴没有密码的 apiclient_key.pem 的内容",
  },
  "is-certificate": {
    en: "is a certificate, not a private key; paste the text of apiclient_key.pem",
    zh: "是证书而不是私钥，请粘贴 apiclient_key.pem 的内容",
  },
  "is-public-key": {
    en: "is a public key; paste the text of apiclient_key.pem, which starts with BEGIN PRIVATE KEY",
    zh: "是公钥，请粘贴以 BEGIN PRIVATE KEY 开头的 apiclient_key.pem 的内容",
  },
};

const PUBLIC_KEY_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable: {
    en: "is neither a public key nor a certificate; paste the whole text of pub_key.pem, from BEGIN to END",
    zh: "既不是公钥也不是证书，请粘贴 pub_key.pem 的全部内容，从 BEGIN 到 END",
  },
  "is-private-key": {
    en: "is a private key; paste WeChat Pay's public key or certificate instead",
    zh: "是私钥，请改为粘贴微信支付的公钥或证书",
  },
};

const CERTIFICATE_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable: {
    en: "is not a certificate; paste the whole text of apiclient_cert.pem, from BEGIN to END",
    zh: "不是证书，请粘贴 apiclient_cert.pem 的全部内容，从 BEGIN 到 END",
  },
};

/**
 * Parses an RSA private key from PEM or bare base64.
 *
 * @returns the key, or an error text that says which value to provide instead. The error does not
 *   contain the text.
 */
export function privateKeyOf(text: string): Result<KeyObject, ProblemText> {
  return readPrivateKey(text).mapErr(textOf(PRIVATE_KEY_FAULTS));
}

/** Parses an RSA public key from a certificate or public key, in PEM or bare base64. */
export function publicKeyOf(text: string): Result<PublicKey, ProblemText> {
  return readPublicKeys(text)
    .andThen(first)
    .map((key): PublicKey => ({ key }))
    .orElse((fault) =>
      fault === "is-certificate"
        ? strongCertificate(text).map((certificate) => ({ key: certificate.publicKey, certificate }))
        : err(fault),
    )
    .mapErr(textOf(PUBLIC_KEY_FAULTS));
}

/** Parses a certificate with an RSA key, in PEM or bare base64. Uses the first one of a chain. */
export function certificateOf(text: string): Result<X509Certificate, ProblemText> {
  return strongCertificate(text).mapErr(textOf(CERTIFICATE_FAULTS));
}

function strongCertificate(text: string): Result<X509Certificate, KeyFault> {
  return readCertificates(text)
    .andThen(first)
    .andThen((certificate) => requireStrongRsa(certificate.publicKey).map(() => certificate));
}

function first<T>([value]: readonly T[]): Result<T, KeyFault> {
  return value === undefined ? err("unreadable") : ok(value);
}

function textOf(texts: FaultTexts): (fault: KeyFault) => ProblemText {
  return (fault) => {
    const text = texts[fault];
    return text === undefined ? { code: "unreadable", ...texts.unreadable } : { code: fault, ...text };
  };
}
