// What each file of stories begins with: its windows are in the browser that the files before it had.
import { shareBrowser } from './launch.ts';

shareBrowser();
