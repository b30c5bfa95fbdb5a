import { ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "./search-terms.js";
import type { Locale } from "./texts.js";

/** The number of results in which a reader looks for an answer. */
const SHOWN = 3;

/** Questions that people ask, with the page that answers each. A page ending in `/` is an index. */
const QUESTIONS: Readonly<Record<Locale, readonly (readonly [question: string, page: string])[]>> = {
  root: [
    ["how do I refund an order", "guide/refunds"],
    ["verify a payment", "guide/payments"],
    ["idempotent bizNo retry", "guide/payments"],
    ["resend sms code", "guide/sms-sessions"],
    ["connect wechat pay merchant account", "guide/connect-your-wallets"],
    ["where do I get the alipay public key", "guide/connect-your-wallets"],
    ["mount express router", "guide/mount-the-routes"],
    ["fastify", "guide/mount-the-routes"],
    ["postgres backup restore", "guide/backup-and-restore"],
    ["docker production", "guide/run-a-host"],
    ["close a month accountant report", "guide/reports"],
    ["import app store connect downloads", "guide/downloads"],
    ["grant a purchase exactly once", "guide/grant-once"],
    ["approve a refund of another operator", "guide/dashboard"],
    ["bill exception REFUND_NOT_HERE", "guide/daily-bill"],
    ["prometheus alert", "reference/alerts"],
    ["write a storage adapter", "guide/write-an-adapter"],
    ["test with vitest in memory", "guide/embed-in-your-test-suite"],
    ["service provider sub-merchant", "guide/merchant-set-ups"],
    ["react to an event after a payment", "guide/react-to-events"],
    ["report a vulnerability", "security"],
    ["how to add a failure", "contributing"],
    ["fastify adapter", "packages/fastify/"],
    ["add a changeset", "contributing"],
    ["openapi generate a client", "packages/core/"],
    ["contract tests for my adapter", "packages/contract-tests/"],
    ["twilio", "guide/sms-sessions"],
    ["sandbox control interface", "packages/sandbox/"],
  ],
  zh: [
    ["掉单", "zh/guide/daily-bill"],
    ["验签失败", "zh/guide/connect-your-wallets"],
    ["接口幂等", "zh/guide/payments"],
    ["差错", "zh/guide/daily-bill"],
    ["异步通知回调", "zh/guide/payments"],
    ["APIv3 密钥在哪里", "zh/guide/connect-your-wallets"],
    ["怎么退款", "zh/guide/refunds"],
    ["关单", "zh/guide/payments"],
    ["手续费", "zh/guide/reports"],
    ["分账", "zh/guide/wallet-options"],
    ["商户号", "zh/guide/merchant-set-ups"],
    ["Docker", "guide/run-a-host"],
    ["短信验证码收不到", "zh/guide/sms-sessions"],
    ["运营后台", "zh/guide/dashboard"],
    ["月报表", "zh/guide/reports"],
    ["下载量导入", "zh/guide/downloads"],
    ["迁移已有服务", "zh/guide/moving-an-existing-service"],
    ["Prometheus", "guide/observe-a-host"],
    ["快速开始", "zh/guide/quick-start"],
    ["什么时候不该用 Tillkit", "zh/choosing"],
    ["Fastify", "packages/fastify/"],
    ["Citus", "internals/scaling"],
    ["报告安全漏洞", "zh/security"],
    ["怎么嵌入程序", "zh/"],
    ["sandbox control interface", "packages/sandbox/"],
  ],
};

/**
 * Returns the questions whose page is not among the first results, and the error codes whose
 * heading is not the first one.
 *
 * @param indexes - the search indexes of the built site, as JSON.
 * @param base - the path of the site on its server.
 */
export function unanswered(indexes: Readonly<Record<Locale, string>>, base: string): readonly string[] {
  return (["root", "zh"] as const).flatMap((locale) => {
    const index = MiniSearch.loadJSON(indexes[locale], { fields: ["title", "titles", "text"] });
    const find = (query: string) =>
      index.search(query, SEARCH_OPTIONS).map(({ id }) => String(id).slice(base.length));
    const questions = QUESTIONS[locale].flatMap(([question, page]) => {
      const found = find(question).slice(0, SHOWN);
      const file = page.replace(/[^/]$/u, "$&.html");
      const isAnswered = found.some((id) => id.split("#")[0] === file);
      return isAnswered ? [] : [`${question}: ${page} is not among ${found.join(", ")}`];
    });
    const codes = Object.values<ErrorEntry>(ERROR_CATALOG).flatMap(({ code }) => {
      const [first = "nothing"] = find(String(code));
      return first.startsWith(`reference/errors.html#${String(code)}-`)
        ? []
        : [`${String(code)}: the search of ${locale} finds ${first} first`];
    });
    return [...questions, ...codes];
  });
}
