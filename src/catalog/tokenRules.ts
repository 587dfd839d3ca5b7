import { z } from 'zod'

const Pattern = z.string().refine(text => {
  try {
    return new RegExp(text) !== undefined
  } catch {
    return false
  }
}, 'must be a regular expression')

export const RULE_GRADES = ['note', 'caution', 'severe'] as const

const Rule = z.strictObject({
  id: z.string().regex(/^[a-z-]+$/),
  label: z.string().min(1),
  means: z.string().min(1),
  grade: z.enum(RULE_GRADES),
  /** Holds of a public function whose body has this … */
  in: Pattern,
  /** … and none of these. */
  lacks: z.array(Pattern).optional(),
  /** Names of public functions that tell it where the source is not held. */
  functions: z.array(Pattern).optional(),
})
export type TokenRule = z.infer<typeof Rule>

/** The rules by which tokens are judged: `catalog/stacks/token-rules.json`. */
export const TokenRules = z.strictObject({
  about: z.string(),
  rules: z.array(Rule).min(1),
  leftOut: z.strictObject({ about: z.string(), addresses: z.array(z.string()) }),
  spam: z.strictObject({
    about: z.string(),
    names: Pattern,
    senderShare: z.number().min(0).max(1),
    recipients: z.int().min(1),
  }),
})
export type TokenRules = z.infer<typeof TokenRules>
