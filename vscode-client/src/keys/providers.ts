/** Environment variables that hold keys of model providers, with the provider's name. Knows no editor. */
export const PROVIDERS: readonly (readonly [variable: string, provider: string])[] = [
  ["OPENAI_API_KEY", "OpenAI"],
  ["ANTHROPIC_API_KEY", "Anthropic"],
  ["GEMINI_API_KEY", "Google Gemini"],
  ["MISTRAL_API_KEY", "Mistral"],
  ["DEEPSEEK_API_KEY", "DeepSeek"],
  ["GROQ_API_KEY", "Groq"],
  ["OPENROUTER_API_KEY", "OpenRouter"],
  ["TOGETHERAI_API_KEY", "Together AI"],
  ["XAI_API_KEY", "xAI"],
];

/** As the server checks it. */
export function isVariable(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]{0,127}$/u.test(name);
}
