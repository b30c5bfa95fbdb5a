/** The products of this merchant. `amount` is in cents. */
export const PRODUCTS = {
  month: { goodsTitle: "One month of Notes Plus", amount: 600 },
  year: { goodsTitle: "One year of Notes Plus", amount: 6_000 },
  theme: { goodsTitle: "The dark theme", amount: 100 },
} as const;

/** The id of a product. */
export type ProductId = keyof typeof PRODUCTS;

/** Whether `text` is the id of a product. */
export function isProductId(text: unknown): text is ProductId {
  return typeof text === "string" && Object.hasOwn(PRODUCTS, text);
}
