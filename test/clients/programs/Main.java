import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import netpanel.metadata.api.MetadataApi;
import netpanel.metadata.model.AgentMetadata;
import netpanel.query.ApiClient;
import netpanel.query.api.DataApi;
import netpanel.query.api.ExportsApi;
import netpanel.query.api.ListingsApi;
import netpanel.query.auth.ApiKeyAuth;
import netpanel.query.model.*;

/** Six calls with the clients of openapi-generator. Prints their results as JSON. */
public class Main {
  static final Map<String, String> env = System.getenv();
  static final ApiClient query = new ApiClient().setBasePath(env.get("QUERY_URL"));

  public static void main(String[] args) throws Exception {
    ((ApiKeyAuth) query.getAuthentication("token")).setApiKey(env.get("DATA_TOKEN"));
    netpanel.metadata.ApiClient metadata = new netpanel.metadata.ApiClient().setBasePath(env.get("METADATA_URL"));
    metadata.setBearerToken(env.get("METADATA_TOKEN"));
    MetricQuery daily = request(ChartType.AGGREGATE).aggregation(Aggregation.DAILY).splits(List.of("isp", "floor"));
    MetricQuery report = request(ChartType.AGGREGATE).aggregation(Aggregation.TOTAL)
        .household(new Household().statistic("mean"))
        .relativeTo(new RelativeTo().field("custom.advertised"))
        .shares(new Shares().addThresholdsItem(new java.math.BigDecimal(80)));
    AgentMetadata agent = new MetadataApi(metadata).getMetadata("agent", "a").getData();
    System.out.println(new Gson().toJson(Map.of(
        "daily", rows(daily, p -> List.of(p.getAdditionalProperty("isp"), p.getAdditionalProperty("floor"),
            p.getMetricValue(), p.getPartial())),
        "raw", rows(request(ChartType.RAW).splits(List.of("tier")),
            p -> List.of(p.getAgent(), p.getAdditionalProperty("tier"), p.getMetricValue())),
        "report", rows(report, p -> List.of(p.getMetricValue(), p.getShares().get("80"))),
        "values", new ListingsApi(query).getFilterValues("isp", null, null, null, null, null, null).getData(),
        "exported", new ExportsApi(query).exportMetricDataCsv(daily, null, null).getData().getRows(),
        "metadata", List.of(agent.getTimezone(), agent.getCustom().get("tier"), agent.getCustom().get("floor")))));
    System.exit(0);
  }

  static MetricQuery request(ChartType chartType) {
    return new MetricQuery().metric("httpget").chartType(chartType).normalised(false).prefilter(false)
        .time(new LocalRange().from(env.get("FROM")).to(env.get("TO")));
  }

  static List<List<Object>> rows(MetricQuery request, Function<MetricPoint, List<Object>> row) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (MetricDataResponseAllOfData series : new DataApi(query).postMetricData(request, null, null, null).getData()) {
      for (MetricPoint point : series.getMetricData()) rows.add(row.apply(point));
    }
    return rows;
  }
}
