import { root } from "@tillkit/repository";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { NO_PAGES, siteFileOf } from "../addresses.js";
import { counterpartOf } from "../counterpart.js";
import { drawDiagrams, linkToSite, showOwnPictures } from "../markdown.js";
import { publicFolder } from "../public-folder.js";
import { searchOfBothLanguages } from "../search-index.js";
import { SEARCH_OPTIONS, searchTerms } from "../search-terms.js";
import { sidebarOf } from "../sidebar.js";
import { CHINESE_SEARCH, CHINESE_THEME, IN_ENGLISH } from "../texts.js";

const api = "/api/";
const repository = "https://github.com/tillkit/tillkit";

export default defineConfig({
  title: "Tillkit",
  description:
    "Payment orders on WeChat Pay and Alipay, SMS sessions and download reports, inside your service",
  srcDir: root,
  srcExclude: NO_PAGES,
  outDir: `${root}scripts/site/dist`,
  cacheDir: `${root}node_modules/.cache/site`,
  rewrites: siteFileOf,
  // The site has no icon, and browsers would ask for one.
  head: [["link", { rel: "icon", href: "data:," }]],
  transformPageData: ({ relativePath, frontmatter }, { siteConfig: { pages, rewrites } }) => {
    const inSite = pages.map((page) => rewrites.map[page] ?? page);
    return { frontmatter: { ...frontmatter, counterpart: counterpartOf(relativePath, inSite) } };
  },
  vite: {
    publicDir: publicFolder,
    plugins: [searchOfBothLanguages()],
    resolve: {
      alias: [
        // VitePress would lead to the same page of the other language, which may not exist.
        { find: /^.*\/composables\/langs$/u, replacement: `${root}scripts/site/.vitepress/theme/langs.ts` },
      ],
    },
    build: { chunkSizeWarningLimit: 4000 },
  },
  markdown: {
    languageAlias: { crontab: "shellscript" },
    // Links to headings are written for GitHub.
    anchor: { slugify: slug },
    config: (md) => {
      linkToSite(md);
      showOwnPictures(md);
      drawDiagrams(md);
    },
  },
  locales: {
    root: { label: "English", lang: "en" },
    zh: {
      label: "简体中文",
      lang: "zh-CN",
      description: "嵌入您自己服务的微信支付与支付宝订单、短信会话和下载报表",
      themeConfig: {
        ...CHINESE_THEME,
        outline: { label: "本页目录", level: [2, 3] },
        nav: [
          { text: "首页", link: "/zh/" },
          { text: "快速开始", link: "/zh/guide/quick-start" },
          { text: `API${IN_ENGLISH}`, link: api, target: "_self" },
        ],
        sidebar: sidebarOf("zh"),
      },
    },
  },
  themeConfig: {
    nav: [
      { text: "Home", link: "/" },
      { text: "Quick start", link: "/guide/quick-start" },
      { text: "API", link: api, target: "_self" },
    ],
    sidebar: sidebarOf("root"),
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page on GitHub" },
    socialLinks: [{ icon: "github", link: repository }],
    search: {
      provider: "local",
      options: {
        locales: { zh: { translations: CHINESE_SEARCH } },
        miniSearch: {
          options: { tokenize: searchTerms },
          searchOptions: SEARCH_OPTIONS,
        },
      },
    },
  },
});
