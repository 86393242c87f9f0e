/** What is kept of a workspace in the app data and can be deleted there. */
export const appDataParts = ['history', 'search', 'recovery'] as const;
