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
  html`<p>This signs out all devices and deletes the API keys of your account.</p><section>${wrongOf(wrong)}<form method="post" action="${path}">${newPassword}<button>Set the password</button></form></section>`

/** The button alone confirms for a signed-in browser; any other browser needs the password of the account. */
export const confirmForm = (
  path: string,
  { wrong, email, isSignedIn }: { wrong?: string | undefined; email: string; isSignedIn: boolean },
): Html =>
  isSignedIn
    ? html`<p>Confirm that <b>${email}</b> is your email. This signs out all other devices and deletes the API keys of this account.</p><section>${wrongOf(wrong)}<form method="post" action="${path}"><button>Confirm email</button></form></section>`
    : html`<p>To confirm <b>${email}</b>, type the password of your account. Or sign in to Assay in this browser, then open the link again.</p><section>${wrongOf(wrong)}<form method="post" action="${path}"><input type="hidden" name="email" autocomplete="username" value="${email}"><label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="200"><small>This signs out all devices and deletes the API keys of the account.</small></label><button>Confirm email</button></form></section><p class="after">Not your account? Close this page, and nothing changes. To take the account over, set a new password.</p><nav><a href="/idp/u/forgot">Set a new password</a><a href="/">Back to Assay</a></nav>`

/** A page that only says something. */
export const told = (text: string, isRight = true): Html =>
  html`<section><p class="${isRight ? 'right' : 'wrong'}" role="status">${text}</p></section><nav><a href="/">Back to Assay</a></nav>`
