import theme from "vitepress/theme";
import "./diagram.css";

export default theme;
