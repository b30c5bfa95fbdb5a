/** Style sheets, which the build collects into one file. */
declare module "*.css";
