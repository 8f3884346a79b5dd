import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "example/"] },
  js.configs.recommended,
  { files: ["src/**/*.ts"], extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked] },
  {
    files: ["src/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/explicit-function-return-type": ["error", { allowExpressions: true }],
      // Numbers in a template read better than `String(n)` around each.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // `process.env["PATH"]`, as tsc's noPropertyAccessFromIndexSignature wants it.
      "@typescript-eslint/dot-notation": "off",
      "max-lines": ["error", 400],
    },
  },
  {
    files: ["**/*.{mjs,js,cjs}"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "console", "URL", "Buffer", "setTimeout", "clearTimeout", "require", "module", "exports", "fetch", "document", "performance", "window", "CSS", "AbortController", "AbortSignal", "URLSearchParams"].map((name) => [name, "readonly"]),
      ),
    },
  },
);
