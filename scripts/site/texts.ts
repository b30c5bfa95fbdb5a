/** The locales of the site. The pages of a locale other than `root` are in a folder of its name. */
export type Locale = "root" | "zh";

/** The sections of `docs/README.md`, in Chinese. A test requires one for each section. */
export const SECTIONS_IN_CHINESE: Readonly<Record<string, string>> = {
  Guides: "指南",
  Packages: "软件包",
  Reference: "参考",
  Internals: "内部原理",
  Decisions: "设计决策",
};

/** Marks a page in the Chinese navigation that has no translation. */
export const IN_ENGLISH = "（英文）";

/** The Chinese texts of VitePress's own theme. */
export const CHINESE_THEME = {
  docFooter: { prev: "上一页", next: "下一页" },
  editLink: {
    pattern: "https://github.com/tillkit/tillkit/edit/main/:path",
    text: "在 GitHub 上编辑此页",
  },
  notFound: {
    title: "页面不存在",
    quote: "此地址没有页面。可能还没有中文译文，或链接已失效。",
    linkLabel: "返回首页",
    linkText: "返回首页",
  },
  langMenuLabel: "切换语言",
  returnToTopLabel: "返回顶部",
  sidebarMenuLabel: "目录",
  darkModeSwitchLabel: "外观",
  lightModeSwitchTitle: "切换到浅色外观",
  darkModeSwitchTitle: "切换到深色外观",
  skipToContentLabel: "跳到正文",
} as const;

/** The Chinese texts of the search box. */
export const CHINESE_SEARCH = {
  button: { buttonText: "搜索", buttonAriaLabel: "搜索文档" },
  modal: {
    displayDetails: "显示详细结果",
    resetButtonTitle: "清空查询",
    backButtonTitle: "关闭搜索",
    noResultsText: "没有找到结果：",
    footer: {
      selectText: "打开",
      selectKeyAriaLabel: "回车键",
      navigateText: "移动",
      navigateUpKeyAriaLabel: "上箭头",
      navigateDownKeyAriaLabel: "下箭头",
      closeText: "关闭",
      closeKeyAriaLabel: "Esc 键",
    },
  },
} as const;
