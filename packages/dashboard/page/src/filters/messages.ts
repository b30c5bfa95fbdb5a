import { catalogue } from "../language/catalogue.js";

/** The texts of filters. */
export const FILTER_TEXTS = catalogue(
  {
    filters: "Filters",
    apply: "Apply",
    clear: "Clear the filters",
    day: (text: string) => `“${text}” is not a day that exists. Write it as 2026-01-31.`,
    amount: (text: string) => `“${text}” cannot be read as an amount. Write yuan as 1000 or 1000.50.`,
    choice: (text: string) => `“${text}” is not one of the choices.`,
    text: (text: string) => `“${text.slice(0, 20)}…” is too long, or contains control characters.`,
    end: () => "The end is before the start.",
    unknown: (text: string) => `${text} (unknown)`,
    unreadable:
      "A filter cannot be read, so nothing is listed or exported. Correct it, or clear the filters.",
    noneYet: "Nothing matches so far. Continue with older entries.",
  },
  {
    filters: "筛选",
    apply: "查询",
    clear: "清除筛选",
    day: (text: string) => `“${text}”不是有效日期，请按 2026-01-31 的格式填写。`,
    amount: (text: string) => `无法识别金额“${text}”，请填写以元为单位的数字，例如 1000 或 1000.50。`,
    choice: (text: string) => `“${text}”不在可选范围内。`,
    text: (text: string) => `“${text.slice(0, 20)}…”过长或含有控制字符。`,
    end: () => "结束不能早于开始。",
    unknown: (text: string) => `${text}（未知）`,
    unreadable: "有筛选条件无法识别，因此不会列出或导出任何内容。请更正，或清除筛选。",
    noneYet: "目前没有符合条件的记录，请继续查看更早的记录。",
  },
);
