/* SPDX-License-Identifier: MIT */
/* Which browser, with which flags. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS_MAX = 192, FLAG_BYTES = 4096, ICD_BYTES = PASSTIME_PAGE_URL_BYTES + 64 };

/* Quiet, alone, and as fast in the background as in front: nothing leaves the machine. */
static const char *const usual_flags[] = {
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
    /* Documents that are kept or made behind the one that is seen would be taken for it. */
    "--disable-features=Prerender2,BackForwardCache",
};

/* Of these the browser takes the last alone, so that several are made one. */
static const char *const joined_flags[] = {
    "--enable-features=",
    "--disable-features=",
    "--enable-dawn-features=",
    "--disable-dawn-features=",
};

struct flags {
    char *items[FLAGS_MAX + 1];
    uint32_t count;
    bool failed;
};

static const char *joined_name(const char *flag)
{
    for (size_t i = 0; i < sizeof joined_flags / sizeof joined_flags[0]; i++) {
        if (strncmp(flag, joined_flags[i], strlen(joined_flags[i])) == 0)
            return joined_flags[i];
    }
    return NULL;
}

static void add(struct flags *flags, const char *flag)
{
    const char *name = joined_name(flag);
    const size_t bytes = strlen(flag) + 1;
    for (uint32_t i = 0; name && i < flags->count; i++) {
        if (strncmp(flags->items[i], name, strlen(name)) != 0)
            continue;
        const size_t old = strlen(flags->items[i]);
        char *longer = realloc(flags->items[i], old + bytes + 1);
        if (!longer) {
            flags->failed = true;
            return;
        }
        (void)snprintf(longer + old, bytes + 1, ",%s", flag + strlen(name));
        flags->items[i] = longer;
        return;
    }
    char *copy = flags->count < FLAGS_MAX ? malloc(bytes) : NULL;
    if (!copy) {
        flags->failed = true;
        return;
    }
    memcpy(copy, flag, bytes);
    flags->items[flags->count++] = copy;
}

static void add_text(struct flags *flags, const char *name, const char *value)
{
    char flag[FLAG_BYTES + 64];
    (void)snprintf(flag, sizeof flag, "%s%s", name, value);
    add(flags, flag);
}

static void free_flags(struct flags *flags)
{
    for (uint32_t i = 0; i < flags->count; i++)
        free(flags->items[i]);
}

bool passtime_page_find_browser(const struct passtime_page_options *options, char *path,
                                size_t path_bytes, char *error, size_t error_bytes)
{
    static const char *const names[] = {
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "chrome-headless-shell",
        "microsoft-edge",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    };
    if (options->browser) {
        if (passtime_program_find(options->browser, path, path_bytes))
            return true;
        (void)snprintf(error, error_bytes,
                       "%s: no such program; --browser takes the path of a "
                       "Chromium, or its name on the PATH",
                       options->browser);
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (passtime_program_find(names[i], path, path_bytes))
            return true;
    }
    (void)snprintf(error, error_bytes,
                   "no Chromium was found on the PATH; install one (Debian: chromium), or name one "
                   "with --browser PATH");
    return false;
}

/* The description of the browser's own software Vulkan driver, which lies beside its binary. */
static bool find_software_driver(const char *browser, char *path, size_t path_bytes)
{
    static const char *const folders[] = {
        "/usr/lib/chromium",  "/usr/lib/chromium-browser", "/usr/lib64/chromium-browser",
        "/opt/google/chrome", "/opt/microsoft/msedge",
    };
    char found[PASSTIME_PAGE_URL_BYTES];
    char tried[ICD_BYTES];
    if (passtime_path_resolve(browser, found, sizeof found) == PASSTIME_PATH_FILE) {
        *strrchr(found, '/') = '\0';
        (void)snprintf(tried, sizeof tried, "%s/vk_swiftshader_icd.json", found);
        if (passtime_path_resolve(tried, path, path_bytes) == PASSTIME_PATH_FILE)
            return true;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        (void)snprintf(tried, sizeof tried, "%s/vk_swiftshader_icd.json", folders[i]);
        if (passtime_path_resolve(tried, path, path_bytes) == PASSTIME_PATH_FILE)
            return true;
    }
    return false;
}

/* Flags for the adapter and its resolution. False: stock times are not to be had. */
static bool add_gpu_flags(struct flags *flags, bool software, bool fine, bool driver)
{
    if (!software) {
        if (fine)
            add(flags, "--enable-webgpu-developer-features");
        return true;
    }
    if (driver) {
        /* The software driver as if it were the system's: the rest is as users have it. */
        add(flags, "--enable-features=Vulkan");
        add(flags, "--use-vulkan=native");
        add(flags, "--use-angle=vulkan");
        add(flags, "--disable-dawn-features=adapter_blocklist");
        if (fine)
            add(flags, "--disable-dawn-features=timestamp_quantization");
        return true;
    }
    add(flags, "--enable-unsafe-webgpu");
    add(flags, "--use-webgpu-adapter=swiftshader");
    add(flags, "--enable-features=Vulkan");
    add(flags, "--use-vulkan=swiftshader");
    add(flags, "--use-angle=swiftshader");
    add(flags, "--enable-unsafe-swiftshader");
    return fine;
}

static enum passtime_page_result launch(struct passtime_page *page, const struct flags *flags,
                                        const char *folder, const char *driver, bool headed,
                                        char *error, size_t error_bytes)
{
    char temporary[FLAG_BYTES];
    char cache[FLAG_BYTES];
    char config[FLAG_BYTES];
    char runtime[FLAG_BYTES];
    char icd[FLAG_BYTES];
    char found[FLAG_BYTES];
    const char *given = getenv("XDG_RUNTIME_DIR");
    /* A window may need what is in the user's. Nothing else is to leave a file there. */
    const bool keep = headed && given &&
                      passtime_path_resolve(given, found, sizeof found) == PASSTIME_PATH_FOLDER;
    (void)snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", keep ? given : folder);
    (void)snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    (void)snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s/cache", folder);
    (void)snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/config", folder);
    (void)snprintf(icd, sizeof icd, "VK_ICD_FILENAMES=%s", driver);
    const char *const environment[] = {temporary, cache, config, runtime, driver[0] ? icd : NULL,
                                       NULL};
    const struct passtime_process_desc desc = {.arguments = (const char *const *)flags->items,
                                               .environment = environment,
                                               .folder = folder};
    page->process = passtime_process_start(&desc, error, error_bytes);
    if (!page->process)
        return PASSTIME_PAGE_NO_BROWSER;
    page->info.browser_process = passtime_process_number(page->process);
    return PASSTIME_PAGE_OK;
}

/* The browser runs in a folder of its own, so that a path must be absolute. */
static void add_profile(struct flags *flags, const char *profile, const char *folder)
{
    char path[FLAG_BYTES];
    char current[FLAG_BYTES / 2] = "";
    if (!profile)
        (void)snprintf(path, sizeof path, "%s/profile", folder);
    else if (profile[0] == '/' ||
             passtime_path_resolve(".", current, sizeof current) != PASSTIME_PATH_FOLDER)
        passtime_page_copy_text(path, sizeof path, profile);
    else
        (void)snprintf(path, sizeof path, "%s/%.1024s", current, profile);
    add_text(flags, "--user-data-dir=", path);
}

static void add_all(struct flags *flags, const struct passtime_page *page,
                    const struct passtime_page_options *options, const char *folder)
{
    add(flags, page->info.executable);
    for (size_t i = 0; i < sizeof usual_flags / sizeof usual_flags[0]; i++)
        add(flags, usual_flags[i]);
    /* Without a window of its own, the browser shows our page alone, whatever a profile remembers.
     */
    if (!options->headed) {
        add(flags, "--headless");
        add(flags, "--no-startup-window");
        add(flags, "--window-size=1280,800");
    }
    if (!page->info.sandbox)
        add(flags, "--no-sandbox");
    if (passtime_shared_memory_is_scarce())
        add(flags, "--disable-dev-shm-usage");
    add_profile(flags, options->profile, folder);
}

enum passtime_page_result passtime_page_start_browser(struct passtime_page *page,
                                                      const struct passtime_page_options *options,
                                                      char *error, size_t error_bytes)
{
    char folder[PASSTIME_PAGE_URL_BYTES];
    char driver[ICD_BYTES] = "";
    struct flags flags = {.count = 0};
    const bool fine = options->resolution == PASSTIME_PAGE_FINE;
    enum passtime_page_result result = PASSTIME_PAGE_FAILED;
    if (!passtime_folder_name(folder, sizeof folder)) {
        (void)snprintf(error, error_bytes, "no name for a temporary folder can be made");
        return result;
    }
    page->info.software = options->software || !passtime_has_gpu_device();
    page->info.sandbox = !passtime_is_root();
    page->info.resolution = options->resolution;
    if (page->info.software)
        (void)find_software_driver(page->info.executable, driver, sizeof driver);
    add_all(&flags, page, options, folder);
    if (!add_gpu_flags(&flags, page->info.software, fine, driver[0] != '\0')) {
        (void)snprintf(error, error_bytes,
                       "stock times on the software adapter need the browser's own driver, "
                       "vk_swiftshader_icd.json, which is not beside %s; leave out --stock",
                       page->info.executable);
        free_flags(&flags);
        return PASSTIME_PAGE_NO_BROWSER;
    }
    for (uint32_t i = 0; i < options->flag_count; i++)
        add(&flags, options->flags[i]);
    if (options->headed)
        add(&flags, "about:blank");
    if (!flags.failed)
        result = launch(page, &flags, folder, driver, options->headed, error, error_bytes);
    else
        (void)snprintf(error, error_bytes, "there are too many flags for the browser");
    free_flags(&flags);
    if (result != PASSTIME_PAGE_OK)
        return result;
    if (!options->software && page->info.software)
        passtime_page_say(page, "no GPU was found; the browser's software adapter is used");
    if (!page->info.sandbox)
        passtime_page_say(page, "the browser's sandbox is off, because it does not work for root; "
                                "run as another user to have it");
    return PASSTIME_PAGE_OK;
}

/* A browser says much; these are the words of what ends it. */
static bool is_reason(const char *line)
{
    static const char *const words[] = {"FATAL",       "cannot open", "No usable sandbox",
                                        "error while", "Failed to",   "Missing X server",
                                        "not found",   "ERROR"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(line, words[i]))
            return true;
    }
    return false;
}

const char *passtime_page_output_reason(struct passtime_page *page, char *text, size_t bytes)
{
    char *begin = page->output;
    page->output[page->output_used] = '\0';
    text[0] = '\0';
    while (*begin) {
        char *end = strchr(begin, '\n');
        if (end)
            *end = '\0';
        if (*begin && (!text[0] || is_reason(begin)))
            passtime_page_copy_text(text, bytes, begin);
        if (!end)
            break;
        *end = '\n';
        begin = end + 1;
    }
    return text;
}
