import { catalogue } from "../language/catalogue.js";

/** The texts of the download counts. */
export const DOWNLOADS_TEXTS = catalogue(
  {
    title: "Downloads",
    app: "App",
    store: "Store",
    from: "From",
    until: "Until",
    chart: "New downloads and updates by day",
    table: "Downloads by day",
    day: "Day",
    new: "New",
    update: "Updates",
    before: (from: string, until: string) => `${from} to ${until}`,
    none: "There are no downloads in this period.",
    noneHelp: "Choose another period, or import the counts: tillkit downloads import.",
    numbers: "Show the numbers",
  },
  {
    title: "下载量",
    app: "应用",
    store: "商店",
    from: "开始日期",
    until: "结束日期",
    chart: "每日新增下载和更新",
    table: "按日显示的下载量",
    day: "日期",
    new: "新增",
    update: "更新",
    before: (from: string, until: string) => `${from} 至 ${until}`,
    none: "此期间没有下载量。",
    noneHelp: "请选择其他期间，或导入数据：tillkit downloads import。",
    numbers: "显示数字",
  },
);
