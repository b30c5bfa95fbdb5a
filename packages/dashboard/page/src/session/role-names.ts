import { catalogue } from "../language/catalogue.js";

/** The names of the roles of operators. */
export const ROLE_TEXTS = catalogue(
  { viewer: "Viewer", support: "Support", finance: "Finance", admin: "Administrator" },
  { viewer: "查看者", support: "客服", finance: "财务", admin: "管理员" },
);
