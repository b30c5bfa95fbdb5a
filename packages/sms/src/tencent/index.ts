export { tencentSmsSender, type TencentOptions, type TencentTemplate } from "./tencent-sms-sender.js";
export type { Templates, WithLanguages } from "../templates.js";
