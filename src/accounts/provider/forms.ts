import { type Html, html } from './page.ts'

/** What is wrong with a form, at its head. */
const wrongOf = (wrong: string | undefined): readonly Html[] =>
  wrong === undefined ? [] : [html`<p class="wrong" role="alert">${wrong}</p>`]

const emailField = (email: string): Html =>
  html`<label>Email<input name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></label>`

const newPassword = html`<label>Password<input name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200"><small>At least 10 characters.</small></label>`

export const loginForm = (
  path: string,
  { wrong, email = '' }: { wrong?: string | undefined; email?: string },
): Html =>
  html`<p>With your account of this server.</p><section>${wrongOf(wrong)}<form method="post" action="${path}">${emailField(email)}<label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label><button>Sign in</button></form></section><nav><a href="${path}/signup">Make an account</a><a href="/idp/u/forgot">Forgot your password?</a><a href="${path}/cancel">Back to Assay</a></nav>`

export const signupForm = (
  path: string,
  { wrong, email = '', name = '' }: { wrong?: string | undefined; email?: string; name?: string },
): Html =>
  html`<p>An account keeps what is yours on this server. Everything public stays open without one.</p><section>${wrongOf(wrong)}<form method="post" action="${path}/signup">${emailField(email)}<label>Name<input name="name" autocomplete="name" required maxlength="80" value="${name}"></label>${newPassword}<button>Make the account</button></form></section><nav><a href="${path}">I have an account</a><a href="${path}/cancel">Back to Assay</a></nav>`

export const forgotForm = ({ wrong }: { wrong?: string | undefined }): Html =>
  html`<p>We send a link by which you set a new password.</p><section>${wrongOf(wrong)}<form method="post" action="/idp/u/forgot">${emailField('')}<button>Send the link</button></form></section><nav><a href="/">Back to Assay</a></nav>`

export const resetForm = (path: string, { wrong }: { wrong?: string | undefined }): Html =>
  html`<p>Every device on which you are signed in is signed out.</p><section>${wrongOf(wrong)}<form method="post" action="${path}">${newPassword}<button>Set the password</button></form></section>`

export const confirmForm = (path: string): Html =>
  html`<p>Press the button to say that this email is yours.</p><section><form method="post" action="${path}"><button>Confirm my email</button></form></section>`

/** A page that only says something. */
export const told = (text: string, isRight = true): Html =>
  html`<section><p class="${isRight ? 'right' : 'wrong'}" role="status">${text}</p></section><nav><a href="/">Back to Assay</a></nav>`
