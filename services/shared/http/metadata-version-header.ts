/**
 * In a response, the version of the organisation's metadata that it has used or made. In a request to the
 * data interface, the version that the response must use.
 */
export const metadataVersionHeader = 'Netpanel-Metadata-Version';
