/** Id of the element of the shell that says that the data engine is away; it is hidden in every page as drawn. */
export const OUTAGE_ID = 'outage'
