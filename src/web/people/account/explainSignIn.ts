import { say } from '../toasts.ts'
import { type SignInStep, signInProblem } from './signInCode.ts'

/** Says what an error of sign-in means: what happened and why, what to do, and its raw name folded away. */
export function explainSignIn(error: unknown, during: SignInStep): void {
  const { title, meaning, remedy, raw } = signInProblem(error, during)
  say({ title, text: `${meaning} ${remedy}`, raw, isError: true })
}
