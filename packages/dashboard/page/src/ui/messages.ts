import { catalogue } from "../language/catalogue.js";

/** The texts of the shared components. */
export const UI_TEXTS = catalogue(
  {
    cancel: "Cancel",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    reason: "Reason",
    reasonHelp: "Stored in the audit log, 1 to 200 characters.",
    loading: "Loading",
    retry: "Try again",
    unreachable: "The server did not answer. Check your connection, then try again.",
    notOffered: "This server does not offer this view yet. Update the host to use it.",
    trace: (id: string) => `Trace id for support: ${id}`,
    all: "All",
    older: "Older",
    newer: "Newest",
    saved: "Saved",
  },
  {
    cancel: "取消",
    close: "关闭",
    copy: "复制",
    copied: "已复制",
    reason: "原因",
    reasonHelp: "将记入审计日志，1 到 200 个字符。",
    loading: "加载中",
    retry: "重试",
    unreachable: "服务器没有响应。请检查网络连接后重试。",
    notOffered: "当前服务器尚不支持此页面，请升级服务。",
    trace: (id: string) => `排查问题时请提供跟踪号：${id}`,
    all: "全部",
    older: "更早",
    newer: "最新",
    saved: "已保存",
  },
);
