/** A style sheet, which VitePress adds to the page. */
declare module "*.css";
