import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { queryTerms, SEARCH_OPTIONS, searchTerms } from "./search-terms.js";

it("the search splits English and names at spaces and punctuation", () => {
  const terms = "Each refund s bizNo 50002 biz no conflict".split(" ");
  expect(searchTerms("Each refund's `bizNo`: 50002 (biz-no.conflict)")).toEqual(terms);
  expect(queryTerms("Each refund's `bizNo`: 50002 (biz-no.conflict)")).toEqual(terms);
});

it("the search leaves out the words of a question, unless there are no others", () => {
  expect(queryTerms("How do I refund the order?")).toEqual(["refund", "order"]);
  expect(queryTerms("怎么退款")).toEqual(["退款"]);
  expect(queryTerms("掉单了怎么办")).toEqual(["掉单"]);
  expect(queryTerms("what is it")).toEqual(["what", "is", "it"]);
});

it("the search finds numbers exactly, and words also with a mistake", () => {
  const index = new MiniSearch({ fields: ["text"], tokenize: searchTerms });
  index.addAll([
    { id: "a", text: "50001 refunds" },
    { id: "b", text: "500012" },
  ]);
  const find = (query: string) => index.search(query, SEARCH_OPTIONS).map(({ id }) => String(id));
  expect(find("50001")).toEqual(["a"]);
  expect(find("50002")).toEqual([]);
  expect(find("refnds")).toEqual(["a"]);
  expect(find("ref")).toEqual(["a"]);
});

it("the search splits Chinese into pairs of neighbouring characters", () => {
  expect(searchTerms("创建订单，用 PAID")).toEqual(["创建", "建订", "订单", "单", "用", "PAID"]);
  expect(queryTerms("创建订单，用 PAID")).toEqual(["创建", "建订", "订单", "用", "PAID"]);
});

it("the search has no terms for punctuation", () => {
  expect([...searchTerms(" 。"), ...queryTerms("")]).toEqual([]);
});

it("the search finds Chinese words inside sentences, and nothing else", () => {
  const index = new MiniSearch({ fields: ["text"], tokenize: searchTerms });
  index.addAll([
    { id: "refunds", text: "调用方可以安全地重试退款请求。" },
    { id: "sessions", text: "用短信验证码登录客户。" },
  ]);
  const find = (query: string) =>
    index.search(query, { tokenize: queryTerms, prefix: true, fuzzy: 0.2 }).map(({ id }) => String(id));
  expect(find("退款")).toEqual(["refunds"]);
  expect(find("验证码")).toEqual(["sessions"]);
  expect(find("登")).toEqual(["sessions"]);
  expect(find("款")).toEqual(["refunds"]);
  expect(find("下载")).toEqual([]);
  expect(find("购")).toEqual([]);
});

it.each([[searchTerms], [queryTerms]])(
  "the search works in a browser, which has only the source of %o",
  (splits) => {
    const script = `JSON.stringify((${splits.toString()})("订单 PAID"))`;
    expect(runInNewContext(script)).toBe(JSON.stringify(splits("订单 PAID")));
  },
);
