/** Where the provider hangs; its issuer ends with a slash, as Auth0’s does and its SDK demands. */
export const IDP_PATH = '/idp'
/** The one client: the site itself. */
export const CLIENT_ID = 'assay'
/** What a sign-in asks for. */
export const SIGN_IN_SCOPE = 'openid profile email read:query read:private'
