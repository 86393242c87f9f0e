/** The settings of AI, until the writer changes them; empty: what the provider has (`protocol/ai-provider.ts`), and nobody is asked. */
export const aiDefaults = {
  'ai.provider': '',
  'ai.anthropic.model': '',
  'ai.anthropic.address': '',
  'ai.openai.model': '',
  'ai.openai.address': '',
  'ai.google.model': '',
  'ai.google.address': '',
  'ai.compatible.model': '',
  'ai.compatible.address': '',
  'ai.ollama.model': '',
  'ai.ollama.address': '',
  'ai.claude.model': '',
  'ai.codex.model': '',
  'ai.gemini.model': '',
} as const;
