import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { withUntranslated } from "./search-index.js";
import { queryTerms, searchTerms } from "./search-terms.js";

const OPTIONS = { fields: ["title", "text"], storeFields: ["title", "titles"], tokenize: searchTerms };

function indexOf(
  ...parts: readonly (readonly [id: string, title: string, text: string, titles?: readonly string[]])[]
) {
  const index = new MiniSearch(OPTIONS);
  index.addAll(parts.map(([id, title, text, titles = []]) => ({ id, title, text, titles })));
  return index.toJSON();
}

const ENGLISH = indexOf(
  ["/site/guide/refunds.html#refunds", "Refunds", "Refund an order"],
  ["/site/guide/payments.html#payments", "Payments", "Create an order, and refund it"],
  ["/site/reference/errors.html#50002", "50002", "The order exists", ["Errors", "Orders"]],
);
const CHINESE = indexOf(
  ["/site/zh/guide/payments.html#支付", "支付", "创建订单 bizNo"],
  ["/site/zh/guide/payments.html#退款", "退款", "为订单退款 refund"],
);

it("the Chinese search finds Chinese pages, and English ones that have no translation", () => {
  const index = MiniSearch.loadJS(withUntranslated(CHINESE, ENGLISH, "/site/"), OPTIONS);
  const find = (query: string) =>
    index.search(query, { tokenize: queryTerms }).map(({ id, title }) => `${String(id)} ${String(title)}`);
  expect(find("退款")).toEqual(["/site/zh/guide/payments.html#退款 退款"]);
  expect(find("refund").toSorted()).toEqual([
    "/site/guide/refunds.html#refunds Refunds（英文）",
    "/site/zh/guide/payments.html#退款 退款",
  ]);
  expect(find("50002")).toEqual(["/site/reference/errors.html#50002 50002"]);
  expect(index.documentCount).toBe(4);
});

it("the Chinese search marks the page of an English result", () => {
  const index = MiniSearch.loadJS(withUntranslated(CHINESE, ENGLISH, "/site/"), OPTIONS);
  const [code] = index.search("50002");
  expect(code).toMatchObject({ title: "50002", titles: ["Errors（英文）", "Orders"] });
});

it("the Chinese search ranks results like an index of all pages", () => {
  const together = MiniSearch.loadJS(withUntranslated(CHINESE, ENGLISH, "/site/"), OPTIONS);
  const whole = MiniSearch.loadJS(
    indexOf(
      ["/site/zh/guide/payments.html#支付", "支付", "创建订单 bizNo"],
      ["/site/zh/guide/payments.html#退款", "退款", "为订单退款 refund"],
      ["/site/guide/refunds.html#refunds", "Refunds", "Refund an order"],
      ["/site/reference/errors.html#50002", "50002", "The order exists"],
    ),
    OPTIONS,
  );
  const scores = (index: MiniSearch) =>
    index.search("refund order").map(({ id, score }) => [String(id), score]);
  expect(scores(together)).toEqual(scores(whole));
});
