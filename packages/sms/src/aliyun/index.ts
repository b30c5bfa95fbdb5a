export { aliyunSmsSender, type AliyunOptions, type AliyunTemplate } from "./aliyun-sms-sender.js";
export type { Templates, WithLanguages } from "../templates.js";
