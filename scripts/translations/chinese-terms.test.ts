import { readdirSync, readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { expect, it } from "vitest";

/** Terms that Chinese payment engineers do not use here, with those that they use. */
const TERMS: readonly (readonly [pattern: RegExp, use: string])[] = [
  [/操作员页面|运营页面/, "运营后台"],
  [/对账任务|核对任务|定时查单/, "查单任务"],
  [/钱包/, "支付渠道，或微信支付、支付宝"],
  [/(?<!商户)商户单号/, "商户订单号"],
  [/(?<!商户)退款号/, "退款单号"],
  [/通知未通过验证/, "异步通知验签失败"],
  [/支付工具/, "收款配置"],
  [/账单差异|条差异|笔差异|种差异/, "差错"],
  [/不会移动资金/, "不涉及资金变动"],
  [/等待余额/, "余额不足，待充值"],
  [/线下结清/, "线下退款（已登记）"],
  [/身份规则/, "客户标识规则"],
  [/95 ?% ?用时/, "P95 耗时"],
  [/调用方/, "接入方（商户后端）"],
  [/预支付/, "预下单"],
  [/只发放一次/, "只发货一次"],
  [/短信运营商/, "短信服务商"],
  [/未收到支付结果/, "未查询到支付记录"],
  [/延伸阅读|接下来请阅读/, "相关文档"],
  [/主机/, "宿主程序"],
  [/[\p{Script=Han}][,;!?](?=[\p{Script=Han}\s]|$)|[\p{Script=Han}]:(?=[\p{Script=Han}])/u, "全角标点"],
];

const FOLDERS = [
  "docs/zh",
  "packages/core/src/errors",
  "packages/core/src/operations",
  "packages/dashboard/src/api",
  "packages/dashboard/page/src",
];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
).filter((file) => /\.(?:md|tsx?)$/.test(file) && !/\.test\.ts$|openapi\.ts$/.test(file));

it("the test reads the Chinese texts of the pages, of the messages and of the documentation", () => {
  expect(
    FILES.filter((file) => /\p{Script=Han}/u.test(readFileSync(`${root}${file}`, "utf8"))).length,
  ).toBeGreaterThan(25);
});

it.each(FILES)("%s has the terms of Chinese payment engineers", (file) => {
  const lines = readFileSync(`${root}${file}`, "utf8")
    .split("\n")
    .filter((line) => /\p{Script=Han}/u.test(line));
  const found = lines.flatMap((line) =>
    TERMS.flatMap(([pattern, use]) => {
      const [term] = pattern.exec(line) ?? [];
      return term === undefined ? [] : [`${term}: write ${use}. ${line.trim()}`];
    }),
  );
  expect(found).toEqual([]);
});
