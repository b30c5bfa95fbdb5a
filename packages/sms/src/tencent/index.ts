export { tencentSmsSender, type TencentOptions, type TencentTemplate } from "./tencent-sms-sender.js";
