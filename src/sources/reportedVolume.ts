/**
 * Whether a publisher’s volume of a day is a report. DefiLlama gives 0 for an exchange whose adapter returned nothing, for
 * weeks in a row where it broke: an exchange without a single swap that day looks the same, so 0 is taken as no figure.
 */
export const isReportedVolume = (valueUsd: number): boolean => valueUsd > 0
