import { catalogue } from "../language/catalogue.js";

/** The texts of the form that changes a pay tool. */
export const PAY_TOOL_TEXTS = catalogue(
  {
    change: "Change keys",
    title: (account: string) => `Change the pay tool of merchant ${account}?`,
    help: "A field that stays empty keeps its value. Stored values are never shown. Tillkit checks the keys first, and changes nothing if they do not work. Another merchant or environment needs a new pay tool: tillkit pay-tools set.",
    set: "Set.",
    setUntil: (day: string) => `Set. It expires on ${day}.`,
    notSet: "Not set.",
    remove: (name: string) => `Remove ${name}`,
    appName: "Name of the app",
    appPackageName: "Package name of the app",
    appSignature: "Signature of the app",
  },
  {
    change: "修改密钥",
    title: (account: string) => `修改商户号 ${account} 的收款配置？`,
    help: "留空表示保持不变，已保存的内容不会显示。系统会先检查密钥，无法使用时不做任何更改。更换商户号或环境需要新的收款配置：tillkit pay-tools set。",
    set: "已设置。",
    setUntil: (day: string) => `已设置，${day} 到期。`,
    notSet: "未设置。",
    remove: (name: string) => `移除 ${name}`,
    appName: "应用名称",
    appPackageName: "应用包名",
    appSignature: "应用签名",
  },
);
